// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.perf;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;

class BarPlotTest {
    @Test
    void shouldDrawBarsToScaleWithAxisUnitAndLegend() throws Exception {
        final BarPlot plot = new BarPlot("All & sundry", "GiB/s");
        final BarPlot.Panel panel = plot.panel("file:…");
        panel.bar("small", "one", 2);
        panel.bar("small", "two", 4);
        panel.bar("large", "two", 1);

        final String svg = plot.svg();

        final Document document = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
        final var titles = document.getElementsByTagName("title");
        assertThat(titles.getLength()).isEqualTo(3);
        assertThat(titles.item(1).getTextContent()).isEqualTo("two, small: 4.00 GiB/s");
        assertThat(height(titles.item(1)))
                .isEqualTo(2 * height(titles.item(0)), org.assertj.core.api.Assertions.within(0.2));
        assertThat(svg).contains(">All &amp; sundry<", ">GiB/s<", ">one<", ">two<", ">4<", ">small<", ">large<");
    }

    private static double height(final org.w3c.dom.Node title) {
        return Double.parseDouble(
                title.getParentNode().getAttributes().getNamedItem("height").getNodeValue());
    }
}
