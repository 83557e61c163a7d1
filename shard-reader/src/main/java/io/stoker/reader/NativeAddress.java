package io.stoker.reader;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Where the memory of a direct buffer lies. The only class that looks into the JDK: Java 17 has no
 * other way to ask, and no flag of the JVM is needed for this one. It is found by its name, because
 * javac warns of every mention of {@code sun.misc.Unsafe} and nothing silences that.
 */
final class NativeAddress {
  private static final @Nullable Memory MEMORY = memory();

  private NativeAddress() {}

  /**
   * Reads a field of a buffer.
   *
   * @param getLong {@code Unsafe.getLong(Object, long)}
   * @param address where the field {@code Buffer.address} lies
   */
  private record Memory(MethodHandle getLong, long address) {}

  /** Whether this JVM tells. */
  static boolean isKnown() {
    return MEMORY != null;
  }

  static UnsupportedOperationException unknown() {
    return new UnsupportedOperationException("no native address: use the buffer");
  }

  /**
   * Address of the byte at the buffer's position.
   *
   * @throws UnsupportedOperationException if the buffer is on the heap or the JVM does not tell
   */
  static long of(ByteBuffer buffer) {
    if (MEMORY == null || !buffer.isDirect()) {
      throw unknown();
    }
    try {
      long start = (long) MEMORY.getLong.invokeExact((Object) buffer, MEMORY.address);
      return start + buffer.position();
    } catch (Throwable e) {
      throw new AssertionError("reading a field does not fail", e);
    }
  }

  private static @Nullable Memory memory() {
    try {
      Class<?> type = Class.forName("sun.misc.Unsafe");
      Field instance = type.getDeclaredField("theUnsafe");
      instance.setAccessible(true);
      Object unsafe = instance.get(null);
      Object address =
          type.getMethod("objectFieldOffset", Field.class)
              .invoke(unsafe, Buffer.class.getDeclaredField("address"));
      MethodHandle getLong =
          MethodHandles.publicLookup()
              .findVirtual(
                  type, "getLong", MethodType.methodType(long.class, Object.class, long.class));
      return new Memory(getLong.bindTo(unsafe), (long) address);
    } catch (ReflectiveOperationException | RuntimeException e) {
      return null;
    }
  }
}
