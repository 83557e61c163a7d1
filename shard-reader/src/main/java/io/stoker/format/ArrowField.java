package io.stoker.format;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One field of an Arrow schema, restricted to what the format uses. No field is nullable.
 *
 * @param name field name
 * @param kind which Arrow type
 * @param element element type of a {@link Kind#PRIMITIVE}, otherwise null
 * @param listSize list size of a {@link Kind#FIXED_SIZE_LIST}, otherwise 0
 * @param child the only child of a list, otherwise null
 */
public record ArrowField(
    String name,
    Kind kind,
    @Nullable ElementType element,
    int listSize,
    @Nullable ArrowField child) {
  /** The Arrow types in use. */
  public enum Kind {
    /** A number. */
    PRIMITIVE,
    /** A string with 32-bit offsets. */
    UTF8,
    /** A list with 32-bit offsets. */
    LIST,
    /** A list of constant length. */
    FIXED_SIZE_LIST
  }

  private static final String ITEM = "item";

  public ArrowField {
    boolean list = kind == Kind.LIST || kind == Kind.FIXED_SIZE_LIST;
    if ((element != null) != (kind == Kind.PRIMITIVE)
        || (child != null) != list
        || (listSize > 0) != (kind == Kind.FIXED_SIZE_LIST)) {
      throw new IllegalArgumentException("field " + name + " is not a well-formed " + kind);
    }
  }

  /** A number. */
  public static ArrowField primitive(String name, ElementType element) {
    return new ArrowField(name, Kind.PRIMITIVE, element, 0, null);
  }

  /** A list of numbers. */
  static ArrowField listOf(String name, ElementType element) {
    return new ArrowField(name, Kind.LIST, null, 0, primitive(ITEM, element));
  }

  /** A list of strings. */
  static ArrowField listOfStrings(String name) {
    ArrowField item = new ArrowField(ITEM, Kind.UTF8, null, 0, null);
    return new ArrowField(name, Kind.LIST, null, 0, item);
  }

  /** A list of rows of {@code size} numbers each. */
  static ArrowField listOfRows(String name, int size, ElementType element) {
    ArrowField row =
        new ArrowField(ITEM, Kind.FIXED_SIZE_LIST, null, size, primitive(ITEM, element));
    return new ArrowField(name, Kind.LIST, null, 0, row);
  }

  /** Nodes of the field and all below it. */
  int nodes() {
    return child == null ? 1 : 1 + child.nodes();
  }

  /** Buffers of the field and all below it, validity buffers not counted. */
  int buffers() {
    int own =
        switch (kind) {
          case PRIMITIVE, LIST -> 1;
          case UTF8 -> 2;
          case FIXED_SIZE_LIST -> 0;
        };
    return child == null ? own : own + child.buffers();
  }

  /** Size of one element of a primitive, in bytes. */
  int elementBytes() {
    if (element == null) {
      throw new IllegalStateException("field " + name + " is a " + kind);
    }
    return element.bytes();
  }

  /** The child of a list. */
  ArrowField item() {
    if (child == null) {
      throw new IllegalStateException("field " + name + " is a " + kind);
    }
    return child;
  }

  /** Sum of {@link #nodes()}. */
  static int nodes(List<ArrowField> fields) {
    return fields.stream().mapToInt(ArrowField::nodes).sum();
  }

  /** Sum of {@link #buffers()}. */
  static int buffers(List<ArrowField> fields) {
    return fields.stream().mapToInt(ArrowField::buffers).sum();
  }

  @Override
  public String toString() {
    return switch (kind) {
      case PRIMITIVE -> element == null ? "" : element.dtype();
      case UTF8 -> "utf8";
      case LIST -> "list<" + child + ">";
      case FIXED_SIZE_LIST -> "fixed_size_list<" + child + ", " + listSize + ">";
    };
  }
}
