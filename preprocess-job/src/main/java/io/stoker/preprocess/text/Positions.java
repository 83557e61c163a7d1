package io.stoker.preprocess.text;

import io.stoker.preprocess.vision.Grid;
import java.util.List;

/** M-RoPE positions of Qwen3-VL: three rows (time, height, width). */
final class Positions {
  private Positions() {}

  /**
   * Positions of one sample. Text advances all rows together; an image stands at one time, spans a
   * grid of merged patches, and moves the text after it on by the longer side of that grid.
   *
   * @param ids L token ids; each image is an unbroken run of placeholders
   * @param imagePad the placeholder id
   * @param grids the images in order; their tokens are as many as the placeholders
   * @return 3·L positions, row-major [3][L]
   */
  static long[] of(long[] ids, long imagePad, List<Grid> grids) {
    int length = ids.length;
    long[] positions = new long[Math.multiplyExact(3, length)];
    long current = 0;
    int image = 0;
    int i = 0;
    while (i < length) {
      if (ids[i] != imagePad) {
        positions[i] = current;
        positions[length + i] = current;
        positions[2 * length + i] = current;
        current++;
        i++;
        continue;
      }
      Grid grid = grids.get(image++);
      int rows = grid.height() / 2;
      int columns = grid.width() / 2;
      for (int row = 0; row < rows; row++) {
        for (int column = 0; column < columns; column++, i++) {
          positions[i] = current;
          positions[length + i] = current + row;
          positions[2 * length + i] = current + column;
        }
      }
      current += Math.max(rows, columns);
    }
    return positions;
  }
}
