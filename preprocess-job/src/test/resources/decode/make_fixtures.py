"""Writes files/, the fixture images, and expected.json, what Pillow makes of each.

    pip install pillow==12.3.0 numpy imagecodecs        (cjpeg of libjpeg-turbo on the PATH)
    python make_fixtures.py               all files; those that nothing makes any more are removed
    python make_fixtures.py bmps gifs     only what these functions make; all else stays

expected.json maps a file name to one of
    {"width", "height", "sha256", "prefix"}   what Pillow gives after exif_transpose and
                                              convert("RGB"), rows of r g b; and the length of the
                                              shortest prefix of the file from which Pillow still
                                              gives exactly these pixels
    {"reject", "pillow"}                      the answer stated for Stoker, and whether Pillow
                                              "raises" or "decodes"
A deliberate difference to Pillow is a "reject" given to put(), or an entry of DEVIATIONS or
SAME_PIXELS.
"""

import hashlib
import io
import json
import pathlib
import struct
import shutil
import subprocess
import sys
import tempfile
import warnings
import zlib

import numpy as np
from PIL import Image, ImageOps, features

HERE = pathlib.Path(__file__).parent
OUT = {}  # name -> bytes
STATED = {}  # name -> reject code, where the answer is not Pillow's pixels
W, H = 41, 31
FORMATS = ["JPEG", "PNG", "WEBP", "GIF", "BMP", "TIFF", "PPM"]

Image.init()
Image.MAX_IMAGE_PIXELS = None
warnings.simplefilter("ignore")


def picture(w=W, h=H, bands=3, seed=1):
    """A gradient with noise: every band different, every pixel different."""
    rng = np.random.default_rng(seed)
    y, x = np.mgrid[0:h, 0:w]
    planes = [(x * (5 + b) + y * (3 + 2 * b) + 40 * b) % 256 for b in range(bands)]
    noisy = np.stack(planes, -1) * 0.8 + rng.integers(0, 50, (h, w, bands))
    return noisy.clip(0, 255).astype(np.uint8)


def smooth(w=W, h=H, bands=3):
    y, x = np.mgrid[0:h, 0:w]
    planes = [(128 + 100 * np.sin((x * (b + 1) + y * 2) / 17 + b)) for b in range(bands)]
    return np.stack(planes, -1).astype(np.uint8)


RGB = Image.fromarray(picture())
RGBA = Image.fromarray(picture(bands=4))
GRAY = Image.fromarray(picture(bands=1)[:, :, 0])
CMYK = Image.frombytes("CMYK", (W, H), picture(bands=4).tobytes())
CMYK_SMOOTH = Image.frombytes("CMYK", (W, H), smooth(bands=4).tobytes())


def put(name, data, reject=None):
    assert name not in OUT, name
    OUT[name] = bytes(data)
    if reject:
        STATED[name] = reject


def save(name, image, fmt, reject=None, **options):
    buffer = io.BytesIO()
    image.save(buffer, fmt, **options)
    put(name, buffer.getvalue(), reject)


# ---- EXIF blocks --------------------------------------------------------------------------------


def tiff(orientation, endian="<", kind=3, count=1, extra=()):
    """A TIFF header with one directory that holds tag 274 (and extra raw entries before it)."""
    head = (b"II*\0" if endian == "<" else b"MM\0*") + struct.pack(endian + "I", 8)
    value = struct.pack(endian + {1: "Bxxx", 3: "Hxx", 4: "I", 6: "bxxx", 8: "hxx", 9: "i"}[kind], orientation)
    entries = list(extra) + [struct.pack(endian + "HHI", 274, kind, count) + value]
    return head + struct.pack(endian + "H", len(entries)) + b"".join(entries) + b"\0\0\0\0"


def exif(orientation, **kw):
    return b"Exif\0\0" + tiff(orientation, **kw)


def segment(marker, payload):
    return bytes([0xFF, marker]) + struct.pack(">H", len(payload) + 2) + payload


def jpeg(image=RGB, **options):
    buffer = io.BytesIO()
    image.save(buffer, "JPEG", **{"quality": 85, **options})
    return buffer.getvalue()


def after_soi(data, *segments):
    return data[:2] + b"".join(segments) + data[2:]


def jpeg_segments(data):
    """(marker, offset, end) of each segment up to and without SOS."""
    at = 2
    while data[at + 1] != 0xDA:
        end = at + 2 + struct.unpack(">H", data[at + 2 : at + 4])[0]
        yield data[at + 1], at, end
        at = end


def without(data, marker):
    for found, at, end in list(jpeg_segments(data))[::-1]:
        if found == marker:
            data = data[:at] + data[end:]
    return data


def patched(data, at, value):
    return data[:at] + bytes(value) + data[at + len(value) :]


def sof_at(data):
    return next(at for marker, at, _ in jpeg_segments(data) if 0xC0 <= marker <= 0xC2)


def cjpeg(*options, image=RGB):
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder, "a.ppm")
        image.save(source)
        return subprocess.run(
            ["cjpeg", "-quality", "85", *options, str(source)], check=True, capture_output=True
        ).stdout


def jpegs():
    for name, sampling in {"444": "4:4:4", "422": "4:2:2", "420": "4:2:0"}.items():
        put(f"jpeg-{name}.jpg", jpeg(subsampling=sampling))
        put(f"jpeg-{name}-progressive.jpg", jpeg(subsampling=sampling, progressive=True))
    put("jpeg-411.jpg", cjpeg("-sample", "4x1"))
    put("jpeg-440.jpg", cjpeg("-sample", "1x2"))
    put("jpeg-410.jpg", cjpeg("-sample", "4x2"))
    put("jpeg-restart.jpg", jpeg(restart_marker_blocks=2))
    put("jpeg-gray.jpg", jpeg(GRAY))
    put("jpeg-gray-progressive.jpg", jpeg(GRAY, progressive=True))
    put("jpeg-rgb-coded.jpg", jpeg(keep_rgb=True))
    put("jpeg-optimized.jpg", jpeg(optimize=True))
    put("jpeg-quality-5.jpg", jpeg(quality=5))
    for w, h in [(1, 1), (1, 37), (37, 1), (3, 40), (2, 2), (16, 16), (17, 33), (200, 1), (402, 2)]:
        put(f"jpeg-{w}x{h}.jpg", jpeg(Image.fromarray(picture(w, h)), subsampling="4:2:0"))
    put("jpeg-8x65500.jpg", jpeg(Image.new("RGB", (8, 65500), (10, 200, 90)), quality=20, optimize=True))
    put("jpeg-icc.jpg", jpeg(icc_profile=b"\0\0\2\0" + b"not a profile" * 30))
    put("jpeg-comment-dpi.jpg", jpeg(comment=b"hello \xff\xd8\xff", dpi=(300, 300)))
    put("jpeg-trailing-garbage.jpg", jpeg() + b"garbage after the end" * 10)
    put("jpeg-trailing-zeros.jpg", jpeg() + bytes(64))
    put("jpeg-two-in-one.jpg", jpeg() + jpeg(Image.fromarray(picture(20, 20, seed=2))))
    put("jpeg-padded-markers.jpg", after_soi(jpeg(), b"\xff\xff\xff"))
    other = Image.fromarray(picture(seed=3))
    save("jpeg-mpo.jpg", RGB, "MPO", save_all=True, append_images=[other])
    thumbnail = tiff(1)[:-4] + struct.pack("<I", 26) + struct.pack("<HHHIHxx", 1, 274, 3, 1, 6) + bytes(4)
    put("jpeg-exif-thumbnail-only.jpg", jpeg(exif=b"Exif\0\0" + thumbnail))
    # The frame header says one thing; the picture is another.
    base = jpeg()
    put("jpeg-no-eoi.jpg", base[:-2])
    put("jpeg-no-eoi-progressive.jpg", jpeg(progressive=True)[:-2])
    for percent in (10, 50, 99):
        put(f"jpeg-cut-{percent}.jpg", base[: len(base) * percent // 100])
        whole = jpeg(progressive=True)
        put(f"jpeg-progressive-cut-{percent}.jpg", whole[: len(whole) * percent // 100])
    put("jpeg-no-dqt.jpg", without(base, 0xDB))
    put("jpeg-no-dht.jpg", without(base, 0xC4))
    put("jpeg-no-sof.jpg", without(base, 0xC0), "image_corrupt")
    put("jpeg-no-sos.jpg", base[: max(e for _, _, e in jpeg_segments(base))] + b"\xff\xd9")
    put("jpeg-magic-only.jpg", b"\xff\xd8\xff")
    put("jpeg-segment-past-end.jpg", b"\xff\xd8\xff\xe0\xff\xff" + bytes(20))
    at = sof_at(base)
    put("jpeg-zero-width.jpg", patched(base, at + 7, [0, 0]), "image_corrupt")
    put("jpeg-zero-height.jpg", patched(base, at + 5, [0, 0]), "image_corrupt")
    put("jpeg-65535-square.jpg", patched(base, at + 5, [255] * 4), "too_many_pixels")
    put("jpeg-taller-than-data.jpg", patched(base, at + 5, [0, 200]))
    end = next(e for m, a, e in jpeg_segments(base) if a == at)
    put("jpeg-two-frames.jpg", base[:end] + base[at:end] + base[end:])
    restart = jpeg(restart_marker_blocks=2)
    first = next(i for i in range(at, len(restart)) if restart[i : i + 2] == b"\xff\xd1")
    put("jpeg-wrong-restart.jpg", patched(restart, first, [0xFF, 0xD5]))
    middle = len(base) * 3 // 4
    put("jpeg-frame-in-scan.jpg", patched(base, middle, b"\xff\xc0"))
    put("jpeg-start-in-scan.jpg", patched(base, middle, b"\xff\xd8"))
    put("jpeg-comment-in-scan.jpg", patched(base, middle, b"\xff\xfe\0\x08"))
    layers = jpeg(Image.fromarray(picture(9, 9)), progressive=True)
    scan = layers.rindex(b"\xff\xda")
    put("jpeg-90-scans.jpg", layers[:-2] + layers[scan:-2] * 80 + b"\xff\xd9")
    put("jpeg-110-scans.jpg", layers[:-2] + layers[scan:-2] * 100 + b"\xff\xd9", "unsupported_format")
    # Frame types that a decoder for 8-bit Huffman frames must not see.
    put("jpeg-arithmetic.jpg", cjpeg("-arithmetic"), "unsupported_format")
    for name, marker in {"lossless-sof3": 0xC3, "hierarchical-sof5": 0xC5, "arithmetic-sof9": 0xC9}.items():
        put(f"jpeg-{name}.jpg", patched(base, at + 1, [marker]), "unsupported_format")
    put("jpeg-12-bit-sof1.jpg", patched(patched(base, at + 1, [0xC1]), at + 4, [12]), "unsupported_format")
    two = segment(0xC0, bytes([8, 0, H, 0, W, 2, 1, 0x11, 0, 2, 0x11, 0]))
    put("jpeg-two-components.jpg", base[:at] + two + base[end:], "unsupported_format")
    try:
        import imagecodecs

        put("jpeg-lossless.jpg", imagecodecs.jpeg8_encode(picture(), lossless=True), "unsupported_format")
        wide = picture(bands=1)[:, :, 0].astype(np.uint16) * 16
        put("jpeg-12-bit.jpg", imagecodecs.jpeg8_encode(wide, bitspersample=12), "unsupported_format")
    except ImportError:
        pass
    # Four components.
    for name, image in {"": CMYK, "-smooth": CMYK_SMOOTH}.items():
        cmyk = jpeg(image, quality=90)
        put(f"jpeg-cmyk{name}.jpg", cmyk)
        put(f"jpeg-cmyk{name}-420.jpg", jpeg(image, quality=90, subsampling="4:2:0"))
        put(f"jpeg-cmyk{name}-progressive.jpg", jpeg(image, quality=90, progressive=True))
        put(f"jpeg-cmyk{name}-no-adobe.jpg", without(cmyk, 0xEE))
        adobe = next(a for m, a, _ in jpeg_segments(cmyk) if m == 0xEE)
        put(f"jpeg-ycck{name}.jpg", patched(cmyk, adobe + 4 + 11, [2]))
    cmyk = jpeg(CMYK)
    adobe = next(a for m, a, _ in jpeg_segments(cmyk) if m == 0xEE)
    put("jpeg-cmyk-transform-1.jpg", patched(cmyk, adobe + 4 + 11, [1]))
    put("jpeg-cmyk-exif-6.jpg", jpeg(CMYK, exif=exif(6)))
    put("jpeg-cmyk-icc.jpg", jpeg(CMYK, icc_profile=b"\0\0\2\0" + b"not a profile" * 30))
    put("jpeg-cmyk-cut-50.jpg", cmyk[: len(cmyk) // 2])
    put("jpeg-cmyk-cut-99.jpg", cmyk[: len(cmyk) * 99 // 100])
    put("jpeg-cmyk-no-eoi.jpg", cmyk[:-2])
    put("jpeg-cmyk-1x1.jpg", jpeg(CMYK.resize((1, 1))))
    # Orientation.
    for o in range(10):
        put(f"jpeg-exif-{o}.jpg", jpeg(Image.fromarray(picture(13, 7)), exif=exif(o)))
    small = Image.fromarray(picture(13, 7))
    plain = jpeg(small)
    put("jpeg-exif-big-endian.jpg", jpeg(small, exif=exif(6, endian=">")))
    put("jpeg-exif-byte.jpg", jpeg(small, exif=exif(6, kind=1)))
    put("jpeg-exif-long.jpg", jpeg(small, exif=exif(6, kind=4)))
    put("jpeg-exif-two-values.jpg", jpeg(small, exif=exif(6, count=2)))
    put("jpeg-exif-signed-byte.jpg", jpeg(small, exif=exif(6, kind=6)))
    elsewhere = exif(26, kind=4, count=2) + struct.pack("<II", 6, 1)
    put("jpeg-exif-two-longs.jpg", jpeg(small, exif=elsewhere))
    put("jpeg-exif-two-longs-past-end.jpg", jpeg(small, exif=exif(4000, kind=4, count=2)))
    put("jpeg-exif-text.jpg", jpeg(small, exif=exif(6, kind=3).replace(b"\x03\0\1\0", b"\x02\0\1\0")))
    put("jpeg-exif-unknown-type.jpg", jpeg(small, exif=exif(6, kind=3).replace(b"\x03\0\1\0", b"\x63\0\1\0")))
    put("jpeg-exif-last-wins.jpg", jpeg(small, exif=exif(6, extra=[struct.pack("<HHIHxx", 274, 3, 1, 3)])))
    put("jpeg-exif-1000.jpg", jpeg(small, exif=exif(1000)))
    put("jpeg-exif-ifd-past-end.jpg", jpeg(small, exif=b"Exif\0\0II*\0\xf0\xff\xff\xff" + bytes(8)))
    put("jpeg-exif-many-entries.jpg", jpeg(small, exif=b"Exif\0\0II*\0\x08\0\0\0\xff\xff" + tiff(6)[10:]))
    put("jpeg-exif-empty.jpg", after_soi(plain, segment(0xE1, b"Exif\0\0")))
    put("jpeg-exif-two-blocks.jpg", after_soi(plain, segment(0xE1, exif(6)), segment(0xE1, exif(3))))
    put("jpeg-exif-after-frame.jpg", plain[: sof_at(plain)] + segment(0xE1, exif(8)) + plain[sof_at(plain) :])
    xmp = b'http://ns.adobe.com/xap/1.0/\0<x tiff:Orientation="8"/>'
    put("jpeg-xmp-8.jpg", after_soi(plain, segment(0xE1, xmp)))
    put("jpeg-xmp-element-3.jpg", after_soi(plain, segment(0xE1, xmp[:29] + b"<tiff:Orientation>3</tiff:Orientation>")))
    put("jpeg-xmp-and-exif.jpg", after_soi(plain, segment(0xE1, xmp), segment(0xE1, exif(6))))


# ---- PNG ----------------------------------------------------------------------------------------


def chunk(kind, payload):
    return struct.pack(">I", len(payload)) + kind + payload + struct.pack(">I", zlib.crc32(kind + payload))


def ihdr(w, h, depth, colour, interlace=0):
    return chunk(b"IHDR", struct.pack(">IIBBBBB", w, h, depth, colour, 0, 0, interlace))


def raw_png(w, h, depth, colour, rows, *before, after=(), interlace=0, level=9):
    data = zlib.compress(b"".join(b"\0" + r for r in rows), level)
    parts = [b"\x89PNG\r\n\x1a\n", ihdr(w, h, depth, colour, interlace), *before, chunk(b"IDAT", data), *after]
    return b"".join(parts) + chunk(b"IEND", b"")


def png(image=RGB, **options):
    buffer = io.BytesIO()
    image.save(buffer, "PNG", **options)
    return buffer.getvalue()


def before_idat(data, *chunks):
    at = data.index(b"IDAT") - 4
    return data[:at] + b"".join(chunks) + data[at:]


def before_iend(data, *chunks):
    at = data.index(b"IEND") - 4
    return data[:at] + b"".join(chunks) + data[at:]


def pngs():
    rng = np.random.default_rng(5)
    put("png-rgb.png", png())
    put("png-rgba.png", png(RGBA))
    put("png-la.png", png(Image.fromarray(picture(bands=2), "LA")))
    put("png-l.png", png(GRAY))
    put("png-1.png", png(GRAY.convert("1")))
    put("png-p.png", png(RGB.quantize(200)))
    put("png-p-16-colours.png", png(RGB.quantize(16), bits=4))
    put("png-p-2-colours.png", png(RGB.quantize(2), bits=1))
    put("png-p-trns.png", png(RGB.quantize(64), transparency=bytes(range(64))))
    put("png-l-trns.png", png(GRAY, transparency=int(np.array(GRAY)[0, 0])))
    put("png-rgb-trns.png", png(RGB, transparency=tuple(int(v) for v in np.array(RGB)[0, 0])))
    put("png-alpha-0.png", png(Image.merge("RGBA", (*RGB.split(), Image.new("L", RGB.size, 0)))))
    for depth in (1, 2, 4, 8):
        rows = [rng.integers(0, 256, (13 * depth + 7) // 8, dtype=np.uint8).tobytes() for _ in range(9)]
        put(f"png-gray-{depth}.png", raw_png(13, 9, depth, 0, rows))
        trns = chunk(b"tRNS", struct.pack(">H", 1))
        put(f"png-gray-{depth}-trns.png", raw_png(13, 9, depth, 0, rows, trns))
    spread = np.concatenate([np.arange(250, 262), [0, 1, 127, 128, 255, 256, 257, 511, 512, 32768, 65534, 65535]])
    gray16 = rng.choice(spread, (9, 24)).astype(">u2")
    put("png-gray-16.png", raw_png(24, 9, 16, 0, [r.tobytes() for r in gray16]))
    put("png-gray-16-trns.png", raw_png(24, 9, 16, 0, [r.tobytes() for r in gray16], chunk(b"tRNS", b"\0\xff")))
    put("png-gray-16-exif-6.png", raw_png(24, 9, 16, 0, [r.tobytes() for r in gray16], chunk(b"eXIf", tiff(6))))
    dark = rng.integers(0, 256, (9, 24)).astype(">u2")
    put("png-gray-16-dark.png", raw_png(24, 9, 16, 0, [r.tobytes() for r in dark]))
    for name, colour, bands in (("rgb-16", 2, 3), ("rgba-16", 6, 4), ("la-16", 4, 2)):
        wide = rng.integers(0, 65536, (9, 13 * bands)).astype(">u2")
        put(f"png-{name}.png", raw_png(13, 9, 16, colour, [r.tobytes() for r in wide]))
    wide = rng.integers(0, 65536, (9, 13 * 3)).astype(">u2")
    put("png-rgb-16-trns.png", raw_png(13, 9, 16, 2, [r.tobytes() for r in wide], chunk(b"tRNS", bytes(6))))
    # Adam7 by hand: 5x4 RGB.
    pix = picture(5, 4)
    passes = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]
    rows = [r.tobytes() for x, y, dx, dy in passes for r in pix[y::dy, x::dx] if r.size]
    put("png-interlaced.png", raw_png(5, 4, 8, 2, rows, interlace=1))
    put("png-gamma.png", before_idat(png(), chunk(b"gAMA", struct.pack(">I", 100000))))
    put("png-icc.png", png(icc_profile=b"\0\0\2\0" + b"not a profile" * 30))
    put("png-srgb-chrm.png", before_idat(png(), chunk(b"cHRM", struct.pack(">8I", *range(30000, 38000, 1000))), chunk(b"sRGB", b"\0")))
    bomb = zlib.compress(bytes(5_000_000), 9)
    put("png-icc-bomb.png", before_idat(png(), chunk(b"iCCP", b"x\0\0" + bomb)))
    put("png-ztxt-bomb.png", before_idat(png(), chunk(b"zTXt", b"x\0\0" + bomb)))
    put("png-ztxt-exif-bomb.png", before_idat(png(), chunk(b"zTXt", b"Raw profile type exif\0\0" + bomb)))
    buffer = io.BytesIO()
    other = Image.fromarray(picture(seed=9))
    RGB.save(buffer, "PNG", save_all=True, append_images=[other], duration=50)
    put("png-animated.png", buffer.getvalue())
    buffer = io.BytesIO()
    RGB.save(buffer, "PNG", save_all=True, default_image=True, append_images=[other, RGBA.convert("RGB")])
    put("png-animated-default.png", buffer.getvalue())
    buffer = io.BytesIO()
    RGBA.save(buffer, "PNG", save_all=True, append_images=[Image.fromarray(picture(bands=4, seed=9))])
    put("png-animated-rgba.png", buffer.getvalue())
    for w, h in [(1, 1), (1, 37), (37, 1), (3, 40), (201, 1)]:
        put(f"png-{w}x{h}.png", png(Image.fromarray(picture(w, h))))
    # Damage.
    whole = png()
    at = whole.index(b"IDAT")
    put("png-bad-crc-idat.png", patched(whole, len(whole) - 16, [whole[-16] ^ 1]))
    put("png-bad-crc-ihdr.png", patched(whole, 29, [whole[29] ^ 1]))
    put("png-bad-crc-text.png", before_idat(whole, chunk(b"tEXt", b"a\0b")[:-1] + b"?"))
    put("png-bad-crc-iend.png", whole[:-1] + b"?")
    put("png-no-iend.png", whole[:-12])
    put("png-cut-in-iend.png", whole[:-5])
    put("png-no-idat.png", whole[: at - 4] + whole[-12:], "image_corrupt")
    put("png-no-plte.png", raw_png(5, 2, 8, 3, [bytes(5)] * 2))
    put("png-trailing-garbage.png", whole + b"garbage" * 9)
    for percent in (10, 50, 99):
        put(f"png-cut-{percent}.png", whole[: len(whole) * percent // 100])
    put("png-magic-only.png", whole[:8])
    put("png-short-data.png", raw_png(13, 9, 8, 0, [bytes(13)] * 5))
    put("png-long-data.png", raw_png(13, 9, 8, 0, [bytes(13)] * 12))
    bad_filter = chunk(b"IDAT", zlib.compress(b"\x09" + bytes(5) + b"\0" + bytes(5)))
    put("png-bad-filter.png", whole[:8] + ihdr(5, 2, 8, 0) + bad_filter + chunk(b"IEND", b""))
    put("png-palette-out-of-range.png", raw_png(8, 2, 8, 3, [bytes([0, 1, 2, 3, 100, 255, 1, 0])] * 2, chunk(b"PLTE", bytes([9, 8, 7, 60, 50, 40]))))
    put("png-bad-depth.png", raw_png(5, 2, 3, 0, [bytes(5)] * 2), "image_corrupt")
    put("png-bad-colour.png", raw_png(5, 2, 8, 5, [bytes(5)] * 2), "image_corrupt")
    put("png-zero-height.png", raw_png(5, 0, 8, 0, [bytes(5)]), "image_corrupt")
    put("png-zero-width.png", raw_png(0, 5, 8, 0, [bytes(5)]), "image_corrupt")
    put("png-huge-width.png", raw_png(2**31 - 1, 1, 8, 0, [bytes(5)]), "too_many_pixels")
    put("png-negative-width.png", raw_png(2**32 - 1, 1, 8, 0, [bytes(5)]), "image_corrupt")
    put("png-20000-square.png", raw_png(20000, 20000, 1, 0, [bytes(2500)] * 20000), "too_many_pixels")
    put("png-unknown-chunk.png", before_idat(whole, chunk(b"zzZz", b"abc")))
    put("png-unknown-critical.png", before_idat(whole, chunk(b"ABCD", b"abc")))
    put("png-bad-chunk-name.png", before_idat(whole, chunk(b"a1\0?", b"abc")))
    put("png-chunk-length-past-end.png", before_idat(whole, b"\x7f\xff\xff\xfftEXtab"))
    # Orientation.
    small = png(Image.fromarray(picture(13, 7)))
    for o in range(1, 9):
        put(f"png-exif-{o}.png", before_idat(small, chunk(b"eXIf", tiff(o, endian=">"))))
    put("png-exif-prefixed.png", before_idat(small, chunk(b"eXIf", exif(6))))
    put("png-exif-after-idat.png", before_iend(small, chunk(b"eXIf", tiff(6))))
    hexed = exif(6).hex()
    lines = "\n".join(hexed[i : i + 72] for i in range(0, len(hexed), 72))
    profile = f"\nexif\n{len(exif(6)):8d}\n{lines}\n".encode()
    put("png-raw-profile.png", before_idat(small, chunk(b"tEXt", b"Raw profile type exif\0" + profile)))
    put("png-raw-profile-z.png", before_idat(small, chunk(b"zTXt", b"Raw profile type exif\0\0" + zlib.compress(profile))))
    put("png-raw-profile-after.png", before_iend(small, chunk(b"tEXt", b"Raw profile type exif\0" + profile)))
    xmp = b'<x tiff:Orientation="8"/>'
    put("png-xmp.png", before_idat(small, chunk(b"iTXt", b"XML:com.adobe.xmp\0\0\0\0\0" + xmp)))
    put("png-xmp-z.png", before_idat(small, chunk(b"iTXt", b"XML:com.adobe.xmp\0\1\0\0\0" + zlib.compress(xmp))))


# ---- WebP, GIF, BMP -----------------------------------------------------------------------------


def riff(*chunks):
    body = b"WEBP" + b"".join(k + struct.pack("<I", len(v)) + v + b"\0" * (len(v) & 1) for k, v in chunks)
    return b"RIFF" + struct.pack("<I", len(body)) + body


def webps():
    save("webp-lossy.webp", RGB, "WEBP", quality=80)
    save("webp-lossless.webp", RGB, "WEBP", lossless=True)
    save("webp-lossy-alpha.webp", RGBA, "WEBP", quality=80)
    save("webp-lossless-alpha.webp", RGBA, "WEBP", lossless=True, exact=True)
    clear = Image.merge("RGBA", (*RGB.split(), Image.new("L", RGB.size, 0)))
    save("webp-alpha-0.webp", clear, "WEBP", lossless=True, exact=True)
    save("webp-lossy-alpha-0.webp", clear, "WEBP", quality=80, exact=True)
    save("webp-gray.webp", GRAY.convert("RGB"), "WEBP", quality=80)
    for w, h in [(1, 1), (1, 37), (37, 1), (3, 40)]:
        save(f"webp-{w}x{h}.webp", Image.fromarray(picture(w, h)), "WEBP", lossless=True)
    save("webp-icc.webp", RGB, "WEBP", quality=80, icc_profile=b"\0\0\2\0" + b"not a profile" * 30)
    others = [Image.fromarray(picture(seed=s)) for s in (7, 8)]
    save("webp-animated.webp", RGB, "WEBP", save_all=True, append_images=others, lossless=True)
    alphas = [Image.fromarray(picture(bands=4, seed=s)) for s in (7, 8)]
    save("webp-animated-alpha.webp", RGBA, "WEBP", save_all=True, append_images=alphas, lossless=True, exact=True)
    anim = OUT["webp-animated.webp"]
    at = anim.index(b"ANMF")
    # The first frame of 41x31 put at (4, 2) of a canvas of 60x40.
    moved = patched(anim, at + 8, [2, 0, 0, 1, 0, 0])
    put("webp-animated-offset.webp", patched(moved, moved.index(b"VP8X") + 12, [59, 0, 0, 39, 0, 0]))
    offset = OUT["webp-animated-offset.webp"]
    put("webp-animated-background.webp", patched(offset, offset.index(b"ANIM") + 8, [10, 20, 30, 255]))
    whole = OUT["webp-lossy.webp"]
    for percent in (10, 50, 99):
        put(f"webp-cut-{percent}.webp", whole[: len(whole) * percent // 100])
    lossless = OUT["webp-lossless.webp"]
    put("webp-lossless-cut-50.webp", lossless[: len(lossless) // 2])
    put("webp-magic-only.webp", whole[:12])
    put("webp-trailing-garbage.webp", whole + b"garbage" * 9)
    put("webp-riff-size-small.webp", patched(whole, 4, struct.pack("<I", 20)))
    put("webp-riff-size-large.webp", patched(whole, 4, struct.pack("<I", len(whole) + 100)))
    vp8 = whole[12:]
    kind, size = vp8[:4], struct.unpack("<I", vp8[4:8])[0]
    payload = vp8[8 : 8 + size]
    canvas = bytes([0, 0, 0, 0, W - 1, 0, 0, H - 1, 0, 0])
    put("webp-vp8x.webp", riff((b"VP8X", canvas), (kind, payload)))
    put("webp-vp8x-size-mismatch.webp", riff((b"VP8X", patched(canvas, 4, [99])), (kind, payload)))
    put("webp-vp8x-no-image.webp", riff((b"VP8X", canvas)), "image_corrupt")
    put("webp-vp8x-huge.webp", riff((b"VP8X", bytes([0, 0, 0, 0] + [255] * 6)), (kind, payload)), "too_many_pixels")
    put("webp-unknown-chunk.webp", riff((b"VP8X", canvas), (b"zzzz", b"abc"), (kind, payload)))
    small = Image.fromarray(picture(13, 7))
    for o in range(1, 9):
        save(f"webp-exif-{o}.webp", small, "WEBP", lossless=True, exif=tiff(o))
    save("webp-exif-prefixed.webp", small, "WEBP", lossless=True, exif=exif(6))
    save("webp-xmp.webp", small, "WEBP", lossless=True, xmp=b'<x tiff:Orientation="8"/>')
    tagged = OUT["webp-exif-6.webp"]
    put("webp-exif-no-flag.webp", patched(tagged, tagged.index(b"VP8X") + 8, [tagged[tagged.index(b"VP8X") + 8] & ~8]))


def gif_file(screen, frame, indices, palette=None, local=None, transparent=None, background=0,
             interlace=False, loose=b"", code_size=8, tail=b";"):
    """A GIF of one frame, its LZW data without compression (a clear code now and then)."""
    w, h = screen
    bits = 7
    out = b"GIF89a" + struct.pack("<HHBBB", w, h, (0x80 | bits) if palette else 0, background, 0)
    out += bytes(palette or b"")
    if transparent is not None:
        out += b"!\xf9\4" + struct.pack("<BHB", 1, 0, transparent) + b"\0"
    out += loose
    flags = (0x80 | bits if local else 0) | (0x40 if interlace else 0)
    out += b"," + struct.pack("<HHHHB", *frame, flags) + bytes(local or b"") + bytes([code_size])
    clear, acc, n = 1 << code_size, 0, 0
    data = bytearray()
    codes = []
    for i, v in enumerate(indices):
        if i % 100 == 0:
            codes.append(clear)
        codes.append(int(v))
    for code in codes + [clear + 1]:
        acc |= code << n
        n += code_size + 1
        while n >= 8:
            data.append(acc & 255)
            acc >>= 8
            n -= 8
    if n:
        data.append(acc & 255)
    for i in range(0, len(data), 255):
        part = data[i : i + 255]
        out += bytes([len(part)]) + bytes(part)
    return out + b"\0" + tail


def gifs():
    colours = picture(16, 16, seed=11).tobytes()  # 256 colours
    more = picture(16, 16, seed=12).tobytes()
    ramp = bytes(v for i in range(256) for v in (i, i, i))
    index = np.random.default_rng(4).integers(0, 256, W * H)
    box = (0, 0, W, H)
    save("gif-opaque.gif", RGB.quantize(128), "GIF")
    save("gif-gray.gif", GRAY, "GIF")
    save("gif-16-colours.gif", RGB.quantize(16), "GIF")
    save("gif-2-colours.gif", RGB.quantize(2), "GIF")
    save("gif-interlaced.gif", RGB.quantize(64), "GIF", interlace=1)
    save("gif-not-interlaced.gif", RGB.quantize(64), "GIF", interlace=0)
    save("gif-transparent.gif", RGB.quantize(64), "GIF", transparency=5)
    frames = [Image.fromarray(picture(seed=s)).quantize(64) for s in (7, 8)]
    save("gif-animated.gif", RGB.quantize(64), "GIF", save_all=True, append_images=frames)
    save("gif-animated-disposal.gif", RGB.quantize(64), "GIF", save_all=True, append_images=frames, disposal=2, transparency=3)
    big = Image.fromarray(smooth(160, 120)).quantize(256)
    save("gif-large.gif", big, "GIF")
    put("gif-plain.gif", gif_file((W, H), box, index, colours))
    put("gif-87a.gif", b"GIF87a" + gif_file((W, H), box, index, colours)[6:])
    put("gif-local-palette.gif", gif_file((W, H), box, index, colours, local=more))
    put("gif-only-local-palette.gif", gif_file((W, H), box, index, local=more))
    put("gif-local-ramp.gif", gif_file((W, H), box, index, colours, local=ramp))
    put("gif-no-palette.gif", gif_file((W, H), box, index))
    put("gif-ramp.gif", gif_file((W, H), box, index, ramp))
    put("gif-hand-transparent.gif", gif_file((W, H), box, index, colours, transparent=int(index[0])))
    put("gif-hand-interlaced.gif", gif_file((W, H), box, index, colours, interlace=True))
    inside = (3, 4, 20, 10)
    put("gif-frame-inside.gif", gif_file((W, H), inside, index[:200], colours, background=7))
    put("gif-frame-inside-transparent.gif", gif_file((W, H), inside, index[:200], colours, transparent=9, background=7))
    put("gif-frame-inside-gray.gif", gif_file((W, H), inside, index[:200], transparent=9, background=7))
    put("gif-frame-outside.gif", gif_file((W, H), (30, 20, 20, 15), index[:300], colours))
    put("gif-frame-far-outside.gif", gif_file((W, H), (100, 80, 5, 4), index[:20], colours))
    put("gif-frame-larger.gif", gif_file((20, 10), box, index, colours))
    put("gif-screen-zero.gif", gif_file((0, 0), box, index, colours))
    put("gif-frame-zero.gif", gif_file((W, H), (0, 0, 0, 0), [], colours), "image_corrupt")
    put("gif-screen-huge.gif", gif_file((65535, 65535), box, index, colours), "too_many_pixels")
    put("gif-frame-huge.gif", gif_file((1, 1), (0, 0, 65535, 65535), index, colours), "too_many_pixels")
    put("gif-extensions.gif", gif_file((W, H), box, index, colours, loose=b"!\xfe\5hello\0!\xff\x0bNETSCAPE2.0\3\1\0\0\0!\1\2ab\0"))
    put("gif-two-controls.gif", gif_file((W, H), box, index, colours, transparent=3, loose=b"!\xf9\4\1\0\0\6\0"))
    put("gif-short-data.gif", gif_file((W, H), box, index[:500], colours))
    put("gif-long-data.gif", gif_file((W, H), box, list(index) + list(index), colours))
    put("gif-code-size-12.gif", gif_file((W, H), box, index, colours, code_size=12))
    put("gif-code-size-0.gif", gif_file((W, H), box, index % 1, colours, code_size=0))
    put("gif-code-size-1.gif", gif_file((W, H), box, index % 1, colours, code_size=1))
    put("gif-code-size-13.gif", gif_file((W, H), box, index, colours, code_size=13))
    four = gif_file((W, H), box, index, colours)
    put("gif-palette-out-of-range.gif", patched(four, 10, [0x81])[:25] + four[13 + 768 :])
    whole = OUT["gif-plain.gif"]
    put("gif-no-trailer.gif", whole[:-1])
    put("gif-no-terminator.gif", whole[:-2])
    put("gif-trailing-garbage.gif", whole + b"garbage" * 9)
    for percent in (10, 50, 99):
        put(f"gif-cut-{percent}.gif", whole[: len(whole) * percent // 100])
    put("gif-magic-only.gif", b"GIF89a")
    put("gif-no-frame.gif", whole[: 13 + 768] + b";", "image_corrupt")
    big = OUT["gif-large.gif"]
    for percent in (30, 90):
        put(f"gif-large-cut-{percent}.gif", big[: len(big) * percent // 100])
    for w, h in [(1, 1), (1, 37), (37, 1), (3, 40)]:
        put(f"gif-{w}x{h}.gif", gif_file((w, h), (0, 0, w, h), index[: w * h], colours))


def bmp_file(w, h, bits, rows, compression=0, palette=b"", masks=b"", header=40, colours=0, data=None):
    stride = (w * bits + 31) // 32 * 4
    body = data if data is not None else b"".join(r + bytes(stride - len(r)) for r in rows)
    info = struct.pack("<IiiHHIIiiII", header, w, h, 1, bits, compression, len(body), 0, 0, colours, 0)
    info += bytes(header - 40)
    if header >= 52 and masks:
        info = info[:40] + masks + info[40 + len(masks) :]
        masks = b""
    offset = 14 + len(info) + len(masks) + len(palette)
    return b"BM" + struct.pack("<IHHI", offset + len(body), 0, 0, offset) + info + masks + palette + body


def bmps():
    rng = np.random.default_rng(6)
    save("bmp-rgb.bmp", RGB, "BMP")
    save("bmp-gray.bmp", GRAY, "BMP")
    save("bmp-p.bmp", RGB.quantize(200), "BMP")
    save("bmp-1.bmp", GRAY.convert("1"), "BMP")
    save("bmp-rgba.bmp", RGBA, "BMP")
    w, h = 13, 9
    def rows(bits):
        return [rng.integers(0, 256, (w * bits + 7) // 8, dtype=np.uint8).tobytes() for _ in range(h)]
    palette = rng.integers(0, 256, (256, 4), dtype=np.uint8)
    palette[:, 3] = 0
    for bits in (1, 4, 8):
        put(f"bmp-palette-{bits}.bmp", bmp_file(w, h, bits, rows(bits), palette=palette[: 1 << bits].tobytes()))
    put("bmp-palette-2.bmp", bmp_file(w, h, 2, rows(2), palette=palette[:4].tobytes()), "unsupported_format")
    put("bmp-palette-short.bmp", bmp_file(w, h, 8, [bytes(range(i, i + w)) for i in range(h)], palette=palette[:30].tobytes(), colours=30))
    put("bmp-palette-out-of-range.bmp", bmp_file(w, h, 8, rows(8), palette=palette[:30].tobytes(), colours=30))
    put("bmp-24.bmp", bmp_file(w, h, 24, rows(24)))
    put("bmp-24-top-down.bmp", bmp_file(w, -h, 24, rows(24)))
    put("bmp-8-top-down.bmp", bmp_file(w, -h, 8, rows(8), palette=palette.tobytes()))
    put("bmp-32.bmp", bmp_file(w, h, 32, rows(32)))
    put("bmp-16.bmp", bmp_file(w, h, 16, rows(16)))
    masks565 = struct.pack("<III", 0xF800, 0x7E0, 0x1F)
    masks555 = struct.pack("<III", 0x7C00, 0x3E0, 0x1F)
    put("bmp-565.bmp", bmp_file(w, h, 16, rows(16), 3, masks=masks565))
    put("bmp-555.bmp", bmp_file(w, h, 16, rows(16), 3, masks=masks555))
    put("bmp-444.bmp", bmp_file(w, h, 16, rows(16), 3, masks=struct.pack("<III", 0xF00, 0xF0, 0xF)))
    put("bmp-32-bitfields.bmp", bmp_file(w, h, 32, rows(32), 3, masks=struct.pack("<III", 0xFF0000, 0xFF00, 0xFF)))
    odd = struct.pack("<III", 0xFF00, 0xFF0000, 0xFF)
    put("bmp-32-odd-bitfields.bmp", bmp_file(w, h, 32, rows(32), 3, masks=odd), "unsupported_format")
    put("bmp-header-44.bmp", bmp_file(w, h, 24, rows(24), header=44), "unsupported_format")
    v4 = struct.pack("<IIII", 0xFF0000, 0xFF00, 0xFF, 0xFF000000)
    put("bmp-v4-bgra.bmp", bmp_file(w, h, 32, rows(32), 3, masks=v4, header=108))
    v4 = struct.pack("<IIII", 0xFF, 0xFF00, 0xFF0000, 0xFF000000)
    put("bmp-v4-rgba.bmp", bmp_file(w, h, 32, rows(32), 3, masks=v4, header=108))
    v4 = struct.pack("<IIII", 0xFF000000, 0xFF0000, 0xFF00, 0xFF)
    put("bmp-v5-abgr.bmp", bmp_file(w, h, 32, rows(32), 3, masks=v4, header=124))
    rle = b"".join(bytes([5, 7, 0, 4, 1, 2, 3, 4, 4, 9]) + b"\0\0" for _ in range(h)) + b"\0\1"
    put("bmp-rle8.bmp", bmp_file(w, h, 8, None, 1, palette=palette.tobytes(), data=rle))
    put("bmp-rle8-delta.bmp", bmp_file(w, h, 8, None, 1, palette=palette.tobytes(), data=b"\3\7\0\2\3\2\4\5\0\0\0\1"))
    put("bmp-rle8-short.bmp", bmp_file(w, h, 8, None, 1, palette=palette.tobytes(), data=b"\3\7\0\0\0\1"))
    rle4 = b"".join(bytes([6, 0x12, 0, 5, 0x34, 0x56, 0x70, 0, 2, 0x9A]) + b"\0\0" for _ in range(h)) + b"\0\1"
    put("bmp-rle4.bmp", bmp_file(w, h, 4, None, 2, palette=palette[:16].tobytes(), data=rle4))
    put("bmp-png-inside.bmp", bmp_file(w, h, 24, None, 5, data=png()), "unsupported_format")
    core = b"BM" + struct.pack("<IHHI", 0, 0, 0, 26) + struct.pack("<IHHHH", 12, w, h, 1, 24)
    put("bmp-core.bmp", core + b"".join(r + bytes(1) for r in rows(24)))
    whole = OUT["bmp-24.bmp"]
    for percent in (10, 50, 99):
        put(f"bmp-cut-{percent}.bmp", whole[: len(whole) * percent // 100])
    put("bmp-magic-only.bmp", b"BM")
    put("bmp-zero-width.bmp", bmp_file(0, h, 24, [b""] * h), "image_corrupt")
    put("bmp-negative-width.bmp", bmp_file(w, h, 24, rows(24)).replace(struct.pack("<i", w), struct.pack("<i", -w), 1), "image_corrupt")
    put("bmp-min-height.bmp", patched(whole, 22, struct.pack("<i", -(2**31))), "too_many_pixels")
    put("bmp-offset-past-end.bmp", patched(whole, 10, struct.pack("<I", 0x7FFFFFFF)))
    put("bmp-offset-zero.bmp", patched(whole, 10, struct.pack("<I", 0)))
    put("bmp-trailing-garbage.bmp", whole + b"garbage" * 9)


# ---- What is no picture of an allowed format ----------------------------------------------------


def others():
    corrupt, unsupported = "image_corrupt", "unsupported_format"
    put("empty.jpg", b"", corrupt)
    put("one-byte.jpg", b"\xff", corrupt)
    put("html.jpg", b"<!DOCTYPE html><html><body>404</body></html>", corrupt)
    put("html-bom.jpg", b"\xef\xbb\xbf\r\n  <HTML><body>404</body></html>", corrupt)
    put("xml.jpg", b'<?xml version="1.0"?><Error><Code>NoSuchKey</Code></Error>', corrupt)
    put("json.jpg", b'{"error": "not found"}', corrupt)
    put("text.jpg", b"Not found\n", corrupt)
    put("lfs.jpg", b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n", corrupt)
    put("zeros.jpg", bytes(100), corrupt)
    put("avif.jpg", b"\0\0\0\x1cftypavif\0\0\0\0mif1avifmiaf" + bytes(20), unsupported)
    put("heic.jpg", b"\0\0\0\x18ftypheic\0\0\0\0mif1heic" + bytes(20), unsupported)
    put("jxl.jpg", b"\xff\x0a" + bytes(20), unsupported)
    put("jxl-box.jpg", b"\0\0\0\x0cJXL \r\n\x87\n" + bytes(20), unsupported)
    put("jp2.jpg", b"\0\0\0\x0cjP  \r\n\x87\n" + bytes(20), unsupported)
    put("j2k.jpg", b"\xff\x4f\xff\x51" + bytes(20), unsupported)
    put("svg.jpg", b'<svg xmlns="http://www.w3.org/2000/svg"/>', unsupported)
    put("svg-xml.jpg", b'<?xml version="1.0"?>\n<!-- a -->\n<svg xmlns="http://www.w3.org/2000/svg"/>', unsupported)
    put("psd.jpg", b"8BPS\0\1" + bytes(20), unsupported)
    put("pdf.jpg", b"%PDF-1.7\n", unsupported)
    put("mp4.jpg", b"\0\0\0\x18ftypisom\0\0\0\0isommp42" + bytes(20), unsupported)
    put("gzip.jpg", b"\x1f\x8b\x08\0" + bytes(20), unsupported)
    put("riff-wave.webp", b"RIFF\x24\0\0\0WAVEfmt " + bytes(20), unsupported)
    save("tiff.tif", RGB, "TIFF", unsupported)
    put("bigtiff.tif", b"II\x2b\0\x08\0\0\0" + bytes(20), unsupported)
    save("ppm.ppm", RGB.resize((3, 3)), "PPM", unsupported)
    put("png-named.jpg", png())
    put("jpeg-named.png", jpeg())
    put("webp-named.gif", OUT["webp-lossy.webp"])
    put("gif-named.bmp", OUT["gif-plain.gif"])
    put("bmp-named.webp", OUT["bmp-24.bmp"])


# ---- Expected -----------------------------------------------------------------------------------


def pillow(data):
    """(width, height, sha256) or None where Pillow raises."""
    try:
        with Image.open(io.BytesIO(data), formats=FORMATS) as image:
            if image.width * image.height > 2 * 89478485:
                return None
            rgb = ImageOps.exif_transpose(image).convert("RGB")
    except Exception:
        return None
    return rgb.width, rgb.height, hashlib.sha256(rgb.tobytes()).hexdigest()


def shortest_prefix(data, whole):
    low = len(data)
    while low > 0 and pillow(data[: low - 1]) == whole:
        low -= 1
    return low


# Where the stated answer is not Pillow's, beside the rejections stated with the files.
DEVIATIONS = {
    # A PNG must be whole to its end. Pillow is laxer from the image data on.
    "png-bad-crc-idat.png": "image_corrupt",
    "png-bad-crc-iend.png": "image_corrupt",
    "png-no-iend.png": "image_corrupt",
    "png-cut-in-iend.png": "image_corrupt",
    # Pillow leaves missing rows black and paints a palette image without palette gray.
    "png-short-data.png": "image_corrupt",
    "png-no-plte.png": "image_corrupt",
    # Pillow guesses where the pixels start.
    "bmp-offset-zero.bmp": "image_corrupt",
    # Rare, and OpenCV gives other pixels.
    "bmp-16.bmp": "unsupported_format",
    "bmp-555.bmp": "unsupported_format",
    "bmp-565.bmp": "unsupported_format",
    "bmp-444.bmp": "unsupported_format",
    "bmp-rle8.bmp": "unsupported_format",
    "bmp-rle8-delta.bmp": "unsupported_format",
    "bmp-rle8-short.bmp": "unsupported_format",
    "bmp-rle4.bmp": "unsupported_format",
}
# Pillow refuses these because of a chunk that is not read here; the pixels are those of another file.
SAME_PIXELS = {
    "png-icc-bomb.png": "png-rgb.png",
    "png-ztxt-bomb.png": "png-rgb.png",
    "png-ztxt-exif-bomb.png": "png-rgb.png",
}


PARTS = {part.__name__: part for part in (jpegs, pngs, webps, gifs, bmps, others)}


def main(names):
    unknown = [name for name in names if name not in PARTS]
    if unknown:
        sys.exit(f"expected names among {', '.join(PARTS)}, found {', '.join(unknown)}")
    if (not names or "jpegs" in names) and not shutil.which("cjpeg"):
        sys.exit("expected cjpeg of libjpeg-turbo on the PATH, found none: Debian has it in libjpeg-turbo-progs")
    for name in names or PARTS:
        PARTS[name]()
    (HERE / "files").mkdir(exist_ok=True)
    expected = json.loads((HERE / "expected.json").read_text()) if names else {}
    if not names:
        for stale in (HERE / "files").iterdir():
            if stale.name not in OUT:
                stale.unlink()
    for name, data in sorted(OUT.items()):
        (HERE / "files" / name).write_bytes(data)
        reject = DEVIATIONS.get(name, STATED.get(name))
        whole = None if reject == "too_many_pixels" else pillow(data)
        if name in SAME_PIXELS:
            assert whole is None, name
            w, h, sha = pillow(OUT[SAME_PIXELS[name]])
            expected[name] = {"width": w, "height": h, "sha256": sha, "pillow": "raises"}
        elif whole is None:
            expected[name] = {"reject": reject or "image_corrupt", "pillow": "raises"}
        elif reject:
            expected[name] = {"reject": reject, "pillow": "decodes"}
        else:
            prefix = shortest_prefix(data, whole)
            expected[name] = {"width": whole[0], "height": whole[1], "sha256": whole[2], "prefix": prefix}
    write("expected.json", expected)
    if names:
        print(f"{len(OUT)} files of {', '.join(names)}")
        return
    # The photographs of examples/, which are not made here.
    images = HERE.parents[4] / "examples" / "images"
    photos = {}
    for path in sorted(p for p in images.rglob("*") if p.is_file()):
        w, h, sha = pillow(path.read_bytes())
        photos[str(path.relative_to(images))] = {"width": w, "height": h, "sha256": sha}
    write("expected-examples.json", photos)
    size = sum(len(d) for d in OUT.values())
    print(f"{len(OUT)} files, {size} bytes; Pillow {Image.__version__}, libjpeg-turbo {features.version('libjpeg_turbo')}")


def write(name, values):
    lines = [f"{json.dumps(key)}: {json.dumps(values[key])}" for key in sorted(values)]
    (HERE / name).write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
