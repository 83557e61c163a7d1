/**
 * Encoded bytes to 8-bit RGB pixels, the same pixels that Pillow gives ({@code exif_transpose},
 * then {@code convert("RGB")}), or a refusal that says what was found.
 *
 * <p>Place in the flow: manifest, sample, fetch, <b>decode</b>, vision, text, pack, shard, commit.
 * The fetched bytes of one image come in, one {@link io.stoker.preprocess.decode.RgbImage} goes to
 * vision; nothing is kept. Of the job's packages, this one uses only {@code reject}.
 *
 * <p>An image passes two gates. {@link io.stoker.preprocess.decode.ImageHeaders#read} is plain
 * Java: it tells the format by its first bytes, never by a name, and applies every limit before a
 * pixel is allocated. {@link io.stoker.preprocess.decode.Decoder} then takes one of three ways:
 * OpenCV's native decoders (JPEG, PNG, WebP, BMP), the JDK's raw JPEG raster (four-component JPEG,
 * where OpenCV's colour arithmetic differs from Pillow's) or plain Java (GIF, likewise). A file
 * that ends too early is refused, never shown in part.
 *
 * <p>All work is single-threaded inside a decoder; a task owns one decoder and closes it.
 */
@NullMarked
package io.stoker.preprocess.decode;

import org.jspecify.annotations.NullMarked;
