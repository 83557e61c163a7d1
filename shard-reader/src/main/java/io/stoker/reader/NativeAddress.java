package io.stoker.reader;

import java.lang.reflect.Field;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import sun.misc.Unsafe;

/**
 * Where the memory of a direct buffer lies. The only class that looks into the JDK: Java 17 has no
 * other way to ask, and no flag of the JVM is needed for this one.
 */
final class NativeAddress {
  private static final @Nullable Unsafe UNSAFE = unsafe();
  private static final long ADDRESS_FIELD = addressField();

  private NativeAddress() {}

  /** Whether this JVM tells. */
  static boolean isKnown() {
    return UNSAFE != null && ADDRESS_FIELD >= 0;
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
    if (UNSAFE == null || ADDRESS_FIELD < 0 || !buffer.isDirect()) {
      throw unknown();
    }
    return UNSAFE.getLong(buffer, ADDRESS_FIELD) + buffer.position();
  }

  private static @Nullable Unsafe unsafe() {
    try {
      Field field = Unsafe.class.getDeclaredField("theUnsafe");
      field.setAccessible(true);
      return (Unsafe) field.get(null);
    } catch (ReflectiveOperationException | RuntimeException e) {
      return null;
    }
  }

  private static long addressField() {
    try {
      return UNSAFE == null
          ? -1
          : UNSAFE.objectFieldOffset(Buffer.class.getDeclaredField("address"));
    } catch (ReflectiveOperationException | RuntimeException e) {
      return -1;
    }
  }
}
