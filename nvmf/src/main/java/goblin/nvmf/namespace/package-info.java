// SPDX-License-Identifier: Apache-2.0

/** Block storage behind namespaces: memory, files and block devices, nothing; and the workers that wait for files. */
package goblin.nvmf.namespace;
