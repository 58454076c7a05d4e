# For a Linux host: a target with a namespace in memory is started again, so that its contents are gone.
# Prints "mark: written" when it may be ended. The host must drop the disk.
set -e -o pipefail
disk=${DEV##*/}
echo "identity: $(cat "/sys/block/$disk/wwid")"
dd if=/dev/urandom of=/tmp/pattern bs=64K count=16 status=none
dd if=/tmp/pattern of="$DEV" bs=64K oflag=direct status=none
dd if="$DEV" of=/tmp/back bs=64K count=16 iflag=direct status=none
cmp /tmp/pattern /tmp/back
echo "mark: written"

n=0
until dmesg | grep -q 'Successfully reconnected'; do
    n=$((n + 1))
    [ $n -lt 400 ] || { echo "the host never connected again"; exit 1; }
    usleep 100000
done
n=0
while [ -e "/sys/block/$disk" ]; do
    n=$((n + 1))
    [ $n -lt 300 ] || { echo "the host kept the disk of a target that had lost its contents"; exit 1; }
    usleep 100000
done
dmesg | grep 'identifiers changed'
