# For a Linux host: the target is killed and started again while fio writes into a file system on its namespace.
# Prints "mark: writing" when it may be killed.
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
before=$(written)
fio --name=w --filename=/mnt/t/fio --size=32m --rw=randwrite --bs=16k --direct=1 --ioengine=libaio --iodepth=8 \
    --rate=3m --verify=crc32c-intel --verify_fatal=1 --fsync=32 --minimal > /tmp/fio 2>&1 &
fio=$!
until [ $(($(written) - before)) -gt 2048 ]; do usleep 50000; done
echo "mark: writing"

wait $fio || { cat /tmp/fio; echo "fio failed"; exit 1; }
dmesg | grep -E 'Successfully reconnected' || { echo "the host never lost its target"; exit 1; }
cmp /tmp/kept /mnt/t/kept
umount /mnt/t
e2fsck -fn "$DEV"
busybox sysctl -qw vm.drop_caches=3
mount -t ext4 -o ro "$DEV" /mnt/t
cmp /tmp/kept /mnt/t/kept
umount /mnt/t
[ "$(cat "/sys/block/$disk/wwid")" = "$wwid" ] || { echo "the identity changed"; exit 1; }
if dmesg | grep -E ' error, dev |identifiers changed|EXT4-fs error'; then exit 1; fi
