/**
 * Turns a decoded picture into the patches the vision tower reads: target size, resize, patch
 * order, pixel values.
 *
 * <p>Place in the flow: manifest → sample → fetch → decode → <b>vision</b> → text → pack → shard →
 * commit. This package imports only packages to its left, and does no input or output. {@link
 * io.stoker.preprocess.vision.ImageProcessor} chains packed rows ({@code SourceRows} → {@code
 * HorizontalPass} → {@code VerticalPass} → {@code PatchWriter}); a pass that has nothing to do is
 * left out. With the Vector API, pictures that keep their size or change it little take a shorter
 * way, {@code RowResize}, row by row straight into patches. The arithmetic is exact: same bytes as
 * the reference processor on CPU, whichever way and whichever of the two implementations of the
 * inner loops ({@code PlainLoops}, {@code VectorLoops}) runs. {@link
 * io.stoker.preprocess.vision.PixelEncoder} expands the 8-bit patches to what a model consumes.
 */
@NullMarked
package io.stoker.preprocess.vision;

import org.jspecify.annotations.NullMarked;
