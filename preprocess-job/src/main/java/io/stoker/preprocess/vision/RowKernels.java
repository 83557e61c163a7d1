package io.stoker.preprocess.vision;

import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/**
 * The loops of {@link RowResize}, with the Vector API. Taps are written out and weights held in
 * registers, so that a product costs little more than its load.
 *
 * <p>C2 of JDK 17 allocates every vector that it hands to a method it has not inlined, and it stops
 * inlining when a method with all that is in it grows too large. So each loop does one thing; and
 * the long ones exceed the 325 bytecodes up to which they would become part of their callers.
 */
final class RowKernels {
  /** Samples in front of a source row that a block may load, with weight 0. */
  static final int FRONT = 16;

  /** Samples behind a source row that a block may load, with weight 0. */
  static final int BACK = 16 + RowWeights.TAPS;

  private static final VectorSpecies<Float> FLOATS = VectorLoops.LANES.withLanes(float.class);
  private static final VectorSpecies<Integer> INTS = VectorLoops.LANES;

  /** Samples per vector. */
  static final int L = FLOATS.length();

  private static final VectorShape QUARTER = VectorShape.forBitSize(Math.max(64, 8 * L));
  private static final VectorSpecies<Byte> BYTES = VectorSpecies.of(byte.class, QUARTER);
  private static final VectorSpecies<Integer> WORDS = VectorSpecies.of(int.class, QUARTER);

  /** The bits of {@link RowWeights#ROUNDER}: a rounded sum's lowest byte is the sample. */
  private static final int ZERO = Float.floatToRawIntBits(RowWeights.ROUNDER);

  private RowKernels() {}

  /** Vectors are wide enough for these loops. */
  static boolean areWide() {
    return L >= 8;
  }

  /**
   * One float per sample.
   *
   * @param count words, a multiple of a quarter vector
   */
  static void unpack(int[] words, int from, float[] out, int to, int count) {
    for (int i = 0; i < count; i += L / 4) {
      ByteVector bytes = IntVector.fromArray(WORDS, words, from + i).reinterpretAsBytes();
      IntVector samples = (IntVector) bytes.convertShape(VectorOperators.B2I, INTS, 0);
      FloatVector floats = (FloatVector) samples.and(0xff).convert(VectorOperators.I2F, 0);
      floats.intoArray(out, to + 4 * i);
    }
  }

  /**
   * Resizes planes of one row to another width.
   *
   * @param from of the first plane's first sample in {@code source}
   * @param stride from one plane to the next
   * @param to of the first result; planes of {@code width} follow one another
   */
  static void horizontal(
      float[] source,
      int from,
      int stride,
      int planes,
      RowWeights weights,
      float[] out,
      int to,
      int width) {
    for (int block = 0; block < weights.starts.length; block++) {
      int first = from + weights.starts[block];
      int weight = block * RowWeights.TAPS * L;
      eightTaps(source, first, stride, planes, weights, weight, out, to + block * L, width);
    }
  }

  private static void eightTaps(
      float[] source,
      int from,
      int stride,
      int planes,
      RowWeights weights,
      int at,
      float[] out,
      int to,
      int width) {
    FloatVector w0 = load(weights.weights, at);
    FloatVector w1 = load(weights.weights, at + L);
    FloatVector w2 = load(weights.weights, at + 2 * L);
    FloatVector w3 = load(weights.weights, at + 3 * L);
    FloatVector w4 = load(weights.weights, at + 4 * L);
    FloatVector w5 = load(weights.weights, at + 5 * L);
    FloatVector w6 = load(weights.weights, at + 6 * L);
    FloatVector w7 = load(weights.weights, at + 7 * L);
    float scale = weights.scale;
    float rounder = weights.rounder;
    int x = from;
    int target = to;
    for (int plane = 0; plane < planes; plane++) {
      // Two chains of sums: each step of a single one would wait for the step before.
      FloatVector a = FloatVector.broadcast(FLOATS, RowWeights.START);
      FloatVector b = load(source, x + 1).mul(w1);
      a = load(source, x).fma(w0, a);
      a = load(source, x + 2).fma(w2, a);
      b = load(source, x + 3).fma(w3, b);
      a = load(source, x + 4).fma(w4, a);
      b = load(source, x + 5).fma(w5, b);
      a = load(source, x + 6).fma(w6, a);
      b = load(source, x + 7).fma(w7, b);
      store(round(a.add(b), scale, rounder), out, target);
      x += stride;
      target += width;
    }
  }

  /**
   * Sums rows into one row of the result and cuts it into the patches it belongs to.
   *
   * @param rows where in {@code ring} the rows are, one per tap
   * @param y row of the result, whose weights are meant
   * @param pieces where in {@code out} each vector of the row belongs, counted from {@code to}
   */
  static void vertical(
      float[] ring, int[] rows, RowWeights weights, int y, byte[] out, int to, int[] pieces) {
    if (weights.taps == RowWeights.FEW_TAPS) {
      fiveRows(ring, rows, weights, RowWeights.FEW_TAPS * y, out, to, pieces);
    } else {
      eightRows(ring, rows, weights, RowWeights.TAPS * y, out, to, pieces);
    }
  }

  private static void fiveRows(
      float[] ring, int[] rows, RowWeights weights, int at, byte[] out, int to, int[] pieces) {
    FloatVector w0 = FloatVector.broadcast(FLOATS, weights.weights[at + 0]);
    FloatVector w1 = FloatVector.broadcast(FLOATS, weights.weights[at + 1]);
    FloatVector w2 = FloatVector.broadcast(FLOATS, weights.weights[at + 2]);
    FloatVector w3 = FloatVector.broadcast(FLOATS, weights.weights[at + 3]);
    FloatVector w4 = FloatVector.broadcast(FLOATS, weights.weights[at + 4]);
    int r0 = rows[0];
    int r1 = rows[1];
    int r2 = rows[2];
    int r3 = rows[3];
    int r4 = rows[4];
    float scale = weights.scale;
    float rounder = weights.rounder;
    for (int i = 0; i < pieces.length; i += 2) {
      int x = i * L;
      int y = x + L;
      FloatVector a = load(ring, r0 + x).fma(w0, FloatVector.broadcast(FLOATS, RowWeights.START));
      FloatVector b = load(ring, r0 + y).fma(w0, FloatVector.broadcast(FLOATS, RowWeights.START));
      a = load(ring, r1 + x).fma(w1, a);
      b = load(ring, r1 + y).fma(w1, b);
      a = load(ring, r2 + x).fma(w2, a);
      b = load(ring, r2 + y).fma(w2, b);
      a = load(ring, r3 + x).fma(w3, a);
      b = load(ring, r3 + y).fma(w3, b);
      a = load(ring, r4 + x).fma(w4, a);
      b = load(ring, r4 + y).fma(w4, b);
      store(round(a, scale, rounder), out, to + pieces[i]);
      store(round(b, scale, rounder), out, to + pieces[i + 1]);
    }
  }

  private static void eightRows(
      float[] ring, int[] rows, RowWeights weights, int at, byte[] out, int to, int[] pieces) {
    FloatVector w0 = FloatVector.broadcast(FLOATS, weights.weights[at + 0]);
    FloatVector w1 = FloatVector.broadcast(FLOATS, weights.weights[at + 1]);
    FloatVector w2 = FloatVector.broadcast(FLOATS, weights.weights[at + 2]);
    FloatVector w3 = FloatVector.broadcast(FLOATS, weights.weights[at + 3]);
    FloatVector w4 = FloatVector.broadcast(FLOATS, weights.weights[at + 4]);
    FloatVector w5 = FloatVector.broadcast(FLOATS, weights.weights[at + 5]);
    FloatVector w6 = FloatVector.broadcast(FLOATS, weights.weights[at + 6]);
    FloatVector w7 = FloatVector.broadcast(FLOATS, weights.weights[at + 7]);
    int r0 = rows[0];
    int r1 = rows[1];
    int r2 = rows[2];
    int r3 = rows[3];
    int r4 = rows[4];
    int r5 = rows[5];
    int r6 = rows[6];
    int r7 = rows[7];
    float scale = weights.scale;
    float rounder = weights.rounder;
    for (int i = 0; i < pieces.length; i++) {
      int x = i * L;
      FloatVector sum = FloatVector.broadcast(FLOATS, RowWeights.START);
      sum = load(ring, r0 + x).fma(w0, sum);
      sum = load(ring, r1 + x).fma(w1, sum);
      sum = load(ring, r2 + x).fma(w2, sum);
      sum = load(ring, r3 + x).fma(w3, sum);
      sum = load(ring, r4 + x).fma(w4, sum);
      sum = load(ring, r5 + x).fma(w5, sum);
      sum = load(ring, r6 + x).fma(w6, sum);
      sum = load(ring, r7 + x).fma(w7, sum);
      store(round(sum, scale, rounder), out, to + pieces[i]);
    }
  }

  /**
   * Cuts a packed row into the patches it belongs to.
   *
   * @param planeWords from one colour to the next
   * @param pieces as in {@link #vertical}
   */
  static void copy(int[] words, int planeWords, byte[] out, int to, int[] pieces) {
    int blocks = pieces.length / 3;
    for (int i = 0; i < blocks; i++) {
      int x = i * (L / 4);
      copy(words, x, out, to + pieces[i]);
      copy(words, planeWords + x, out, to + pieces[blocks + i]);
      copy(words, 2 * planeWords + x, out, to + pieces[2 * blocks + i]);
    }
  }

  private static void copy(int[] words, int at, byte[] out, int to) {
    IntVector.fromArray(WORDS, words, at).reinterpretAsBytes().intoArray(out, to);
  }

  private static FloatVector load(float[] array, int at) {
    return FloatVector.fromArray(FLOATS, array, at);
  }

  /** Divides, rounds and clamps; the sample is in the lowest byte of each int. */
  private static IntVector round(FloatVector sum, float scale, float rounder) {
    FloatVector rounded =
        sum.fma(FloatVector.broadcast(FLOATS, scale), FloatVector.broadcast(FLOATS, rounder));
    return rounded.reinterpretAsInts().max(ZERO).min(ZERO + 255);
  }

  private static void store(IntVector samples, float[] out, int at) {
    samples.reinterpretAsFloats().sub(RowWeights.ROUNDER).intoArray(out, at);
  }

  private static void store(IntVector samples, byte[] out, int at) {
    ((ByteVector) samples.convertShape(VectorOperators.I2B, BYTES, 0)).intoArray(out, at);
  }
}
