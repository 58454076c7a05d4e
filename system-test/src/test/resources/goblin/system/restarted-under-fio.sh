# For a Linux host: while fio writes into a file system on its namespace the target ends twice and is started again.
# Prints "mark: writing" when it may be killed, "mark: writing again" when it may be drained and ended.
set -e -o pipefail
disk=${DEV##*/}
wwid=$(cat "/sys/block/$disk/wwid")
echo "identity: $wwid"

mkfs.ext4 -q -F -E nodiscard "$DEV" 131072
mkdir -p /mnt/t
mount -t ext4 "$DEV" /mnt/t
dd if=/dev/urandom of=/tmp/kept bs=1M count=4 status=none
cp /tmp/kept /mnt/t/kept
busybox sync

written() { awk '{ print $7 }' "/sys/block/$disk/stat"; }
reconnected() { dmesg | grep -c 'Successfully reconnected' || :; }
# Waits until fio has written another 1 MiB.
await_writing() {
    local before
    before=$(written)
    until [ $(($(written) - before)) -gt 2048 ]; do
        kill -0 $fio || { cat /tmp/fio; echo "fio ended early"; exit 1; }
        usleep 50000
    done
}

fio --name=w --filename=/mnt/t/fio --size=48m --rw=randwrite --bs=16k --direct=1 --ioengine=libaio --iodepth=8 \
    --rate=2m --verify=crc32c-intel --verify_fatal=1 --fsync=32 --minimal > /tmp/fio 2>&1 &
fio=$!
await_writing
echo "mark: writing"
until [ "$(reconnected)" -ge 1 ]; do
    kill -0 $fio || { cat /tmp/fio; echo "fio ended before the host was connected again"; exit 1; }
    usleep 100000
done
await_writing
echo "mark: writing again"

wait $fio || { cat /tmp/fio; echo "fio failed"; exit 1; }
[ "$(reconnected)" -ge 2 ] || { echo "the host did not connect again twice"; exit 1; }
cmp /tmp/kept /mnt/t/kept
umount /mnt/t
e2fsck -fn "$DEV"
busybox sysctl -qw vm.drop_caches=3
mount -t ext4 -o ro "$DEV" /mnt/t
cmp /tmp/kept /mnt/t/kept
umount /mnt/t
[ "$(cat "/sys/block/$disk/wwid")" = "$wwid" ] || { echo "the identity changed"; exit 1; }
if dmesg | grep -E ' error, dev |identifiers changed|EXT4-fs error'; then exit 1; fi
