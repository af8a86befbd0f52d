"""formats/foreign/*: files of HDF5 that a stranger could send, written by h5py. Most name other files, or lead nowhere:
values in other files, virtual datasets, links, groups inside of themselves, and few bytes that unpack to many. The
others are in order, in ways that Keras does not write: the newest version of every structure.
"""

import pathlib

import h5py
import numpy as np

FOLDER = pathlib.Path(__file__).parent / "formats" / "foreign"
KERNEL, BIAS = "layers/dense/vars/0", "layers/dense/vars/1"
OTHER = "secret.bin"


def plain(file):
    file[KERNEL] = np.array([[0.25], [0.5]], np.float32)
    file[BIAS] = np.array([0.75], np.float32)


def many_attributes(file):
    plain(file)
    for i in range(64):
        file[KERNEL].attrs[f"note {i}"] = "x" * 200


def chunked(file):
    values = np.arange(2, dtype=np.float32).reshape(2, 1)
    file.create_dataset(KERNEL, data=values, chunks=(1, 1), compression="gzip", shuffle=True, fletcher32=True)
    file[BIAS] = np.zeros(1, np.float32)


def compact(file):
    space = h5py.h5s.create_simple((2, 1))
    plist = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    plist.set_layout(h5py.h5d.COMPACT)
    group = file.require_group("layers/dense/vars")
    dataset = h5py.h5d.create(group.id, b"0", h5py.h5t.IEEE_F32LE, space, plist)
    dataset.write(h5py.h5s.ALL, h5py.h5s.ALL, np.ones((2, 1), np.float32))
    file[BIAS] = np.zeros(1, np.float32)


def external(file):
    file.create_dataset(KERNEL, (2, 1), np.float32, external=[(OTHER, 0, 8)])
    file[BIAS] = np.zeros(1, np.float32)


def virtual(file, of=OTHER):
    layout = h5py.VirtualLayout((2, 1), np.float32)
    layout[:] = h5py.VirtualSource(of, "secret", (2, 1))
    file.create_virtual_dataset(KERNEL, layout)
    file[BIAS] = np.zeros(1, np.float32)


def virtual_of_itself(file):
    file["secret"] = np.zeros((2, 1), np.float32)
    virtual(file, ".")


def virtual_unlimited(file):
    layout = h5py.VirtualLayout((2, 1), np.float32, maxshape=(None, 1))
    source = h5py.VirtualSource(OTHER, "secret", (2, 1), maxshape=(None, 1))
    layout[0 : h5py.h5s.UNLIMITED, :] = source[0 : h5py.h5s.UNLIMITED, :]
    file.create_virtual_dataset(KERNEL, layout)


def external_link(file):
    file[KERNEL] = h5py.ExternalLink(OTHER, "/secret")


def external_group(file):
    file["layers"] = h5py.ExternalLink(OTHER, "/layers")


def soft_link_out(file):
    file["out"] = h5py.ExternalLink(OTHER, "/")
    file["layers"] = h5py.SoftLink("/out/layers")


def soft_link(file):
    plain(file)
    file["also"] = h5py.SoftLink("/" + KERNEL)


def cycle(file):
    plain(file)
    file["layers/dense/again"] = file["layers"]


def cycle_of_root(file):
    plain(file)
    file["layers/root"] = file["/"]


def shared(file):
    plain(file)
    for i in range(50):
        file[f"layers/dense/vars/also {i}"] = file[KERNEL]


def bomb(file):
    file.create_dataset(KERNEL, data=np.zeros((1 << 23, 1), np.float32), compression="gzip", compression_opts=9)


def hollow(file):
    """Of which no value was ever written."""
    file.create_dataset(KERNEL, (1 << 28, 1), np.float32)


def hollow_bytes(file):
    """Small as f32, large as what it is."""
    file.create_dataset(KERNEL, (2, 1), f"S{1 << 30}", chunks=(1, 1))


def plugin(file):
    plist = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    plist.set_chunk((2, 1))
    plist.set_filter(32015, h5py.h5z.FLAG_OPTIONAL, (3,))
    group = file.require_group("layers/dense/vars")
    h5py.h5d.create(group.id, b"0", h5py.h5t.IEEE_F32LE, h5py.h5s.create_simple((2, 1)), plist)


FILES = [
    plain, many_attributes, chunked, compact, external, virtual, virtual_of_itself, virtual_unlimited, external_link,
    external_group, soft_link_out, soft_link, cycle, cycle_of_root, shared, bomb, hollow, hollow_bytes, plugin,
]  # fmt: skip


def write_foreign():
    FOLDER.mkdir(exist_ok=True)
    for make in FILES:
        for libver in ["earliest", "latest"]:
            path = FOLDER / f"{make.__name__}-{libver}.h5"
            if path.exists():  # HDF5 writes the time into groups, so what is there stays.
                continue
            with h5py.File(path, "w", libver=libver) as file:
                make(file)


if __name__ == "__main__":
    write_foreign()
