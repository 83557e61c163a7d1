package io.stoker.format;

import com.google.flatbuffers.FlatBufferBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.arrow.flatbuf.Endianness;
import org.apache.arrow.flatbuf.Field;
import org.apache.arrow.flatbuf.FixedSizeList;
import org.apache.arrow.flatbuf.FloatingPoint;
import org.apache.arrow.flatbuf.Int;
import org.apache.arrow.flatbuf.KeyValue;
import org.apache.arrow.flatbuf.Precision;
import org.apache.arrow.flatbuf.Schema;
import org.apache.arrow.flatbuf.Type;
import org.apache.arrow.flatbuf.Utf8;
import org.jspecify.annotations.Nullable;

/** {@link ArrowSchema} to and from Arrow's flatbuffers. */
final class SchemaCodec {
  // A hostile flatbuffer may share or nest tables without end; these stop it.
  private static final int MAX_FIELDS = 64;
  private static final int MAX_METADATA = 64;
  private static final int MAX_DEPTH = 3;

  private SchemaCodec() {}

  /** Writes the schema and returns its offset in the builder. */
  static int encode(FlatBufferBuilder builder, ArrowSchema schema) {
    int[] fields = new int[schema.fields().size()];
    for (int i = 0; i < fields.length; i++) {
      fields[i] = encode(builder, schema.fields().get(i));
    }
    int fieldVector = Schema.createFieldsVector(builder, fields);
    int metadata =
        Schema.createCustomMetadataVector(builder, keyValues(builder, schema.metadata()));
    return Schema.createSchema(builder, Endianness.Little, fieldVector, metadata, 0);
  }

  private static int[] keyValues(FlatBufferBuilder builder, Map<String, String> map) {
    return map.entrySet().stream()
        .mapToInt(
            e ->
                KeyValue.createKeyValue(
                    builder, builder.createString(e.getKey()), builder.createString(e.getValue())))
        .toArray();
  }

  private static int encode(FlatBufferBuilder builder, ArrowField field) {
    int name = builder.createString(field.name());
    ArrowField child = field.child();
    int children =
        Field.createChildrenVector(
            builder, child == null ? new int[0] : new int[] {encode(builder, child)});
    int metadata = 0;
    if (field.element() == ElementType.BFLOAT16) {
      Map<String, String> dtype = Map.of(ShardFormat.DTYPE_KEY, ElementType.BFLOAT16.dtype());
      metadata = Field.createCustomMetadataVector(builder, keyValues(builder, dtype));
    }
    int type = encodeType(builder, field);
    Field.startField(builder);
    Field.addName(builder, name);
    Field.addNullable(builder, false);
    Field.addTypeType(builder, typeCode(field));
    Field.addType(builder, type);
    Field.addChildren(builder, children);
    if (metadata != 0) {
      Field.addCustomMetadata(builder, metadata);
    }
    return Field.endField(builder);
  }

  private static byte typeCode(ArrowField field) {
    return switch (field.kind()) {
      case PRIMITIVE -> field.element() == ElementType.FLOAT32 ? Type.FloatingPoint : Type.Int;
      case UTF8 -> Type.Utf8;
      case LIST -> Type.List;
      case FIXED_SIZE_LIST -> Type.FixedSizeList;
    };
  }

  private static int encodeType(FlatBufferBuilder builder, ArrowField field) {
    switch (field.kind()) {
      case PRIMITIVE -> {
        ElementType element = field.element();
        if (element == ElementType.FLOAT32) {
          return FloatingPoint.createFloatingPoint(builder, Precision.SINGLE);
        }
        boolean signed = element == ElementType.INT32 || element == ElementType.INT64;
        return Int.createInt(builder, field.elementBytes() * Byte.SIZE, signed);
      }
      case UTF8 -> {
        Utf8.startUtf8(builder);
        return Utf8.endUtf8(builder);
      }
      case LIST -> {
        org.apache.arrow.flatbuf.List.startList(builder);
        return org.apache.arrow.flatbuf.List.endList(builder);
      }
      case FIXED_SIZE_LIST -> {
        return FixedSizeList.createFixedSizeList(builder, field.listSize());
      }
    }
    throw new IllegalStateException("unknown kind " + field.kind());
  }

  /**
   * Reads a schema.
   *
   * @throws ShardFormatException if it uses what the format does not
   * @throws RuntimeException from the flatbuffer accessors if the bytes are damaged; the caller
   *     contains it
   */
  static ArrowSchema decode(String resource, @Nullable Schema schema) throws ShardFormatException {
    if (schema == null) {
      throw ShardFormatException.corrupt(resource, "no schema");
    }
    if (schema.endianness() != Endianness.Little) {
      throw ShardFormatException.corrupt(resource, "schema is not little-endian");
    }
    int count = limit(resource, "columns", schema.fieldsLength(), MAX_FIELDS);
    List<ArrowField> fields = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      fields.add(decode(resource, schema.fields(i), MAX_DEPTH));
    }
    SortedMap<String, String> metadata = new TreeMap<>();
    int entries = limit(resource, "metadata", schema.customMetadataLength(), MAX_METADATA);
    for (int i = 0; i < entries; i++) {
      KeyValue entry = schema.customMetadata(i);
      metadata.put(text(entry.key()), text(entry.value()));
    }
    return new ArrowSchema(fields, metadata);
  }

  private static ArrowField decode(String resource, Field field, int depth)
      throws ShardFormatException {
    String name = text(field.name());
    if (field.nullable() || field.dictionary() != null) {
      throw ShardFormatException.corrupt(
          resource, "column " + name + " is nullable or has a dictionary");
    }
    boolean list = field.typeType() == Type.List || field.typeType() == Type.FixedSizeList;
    int children = field.childrenLength();
    if (children != (list ? 1 : 0) || (list && depth == 0)) {
      throw unknownType(resource, name, field.typeType());
    }
    ArrowField child = list ? decode(resource, field.children(0), depth - 1) : null;
    switch (field.typeType()) {
      case Type.Int -> {
        return ArrowField.primitive(name, integer(resource, name, field));
      }
      case Type.FloatingPoint -> {
        FloatingPoint type = (FloatingPoint) field.type(new FloatingPoint());
        if (type != null && type.precision() == Precision.SINGLE) {
          return ArrowField.primitive(name, ElementType.FLOAT32);
        }
      }
      case Type.Utf8 -> {
        return new ArrowField(name, ArrowField.Kind.UTF8, null, 0, null);
      }
      case Type.List -> {
        return new ArrowField(name, ArrowField.Kind.LIST, null, 0, child);
      }
      case Type.FixedSizeList -> {
        FixedSizeList type = (FixedSizeList) field.type(new FixedSizeList());
        if (type != null && type.listSize() > 0) {
          return new ArrowField(
              name, ArrowField.Kind.FIXED_SIZE_LIST, null, type.listSize(), child);
        }
      }
      default -> {}
    }
    throw unknownType(resource, name, field.typeType());
  }

  private static ElementType integer(String resource, String name, Field field)
      throws ShardFormatException {
    Int type = (Int) field.type(new Int());
    if (type == null) {
      throw unknownType(resource, name, field.typeType());
    }
    if (type.isSigned()) {
      switch (type.bitWidth()) {
        case 32 -> {
          return ElementType.INT32;
        }
        case 64 -> {
          return ElementType.INT64;
        }
        default -> throw unknownType(resource, name, field.typeType());
      }
    }
    if (type.bitWidth() == Byte.SIZE) {
      return ElementType.UINT8;
    }
    boolean bfloat16 =
        type.bitWidth() == Short.SIZE
            && field.customMetadataLength() == 1
            && ShardFormat.DTYPE_KEY.equals(field.customMetadata(0).key())
            && ElementType.BFLOAT16.dtype().equals(field.customMetadata(0).value());
    if (!bfloat16) {
      throw unknownType(resource, name, field.typeType());
    }
    return ElementType.BFLOAT16;
  }

  private static ShardFormatException unknownType(String resource, String name, byte type) {
    String typeName = type >= 0 && type < Type.names.length ? Type.name(type) : "type " + type;
    return ShardFormatException.corrupt(
        resource, "column " + name + " has a type that the format does not use: " + typeName);
  }

  private static int limit(String resource, String what, int found, int limit)
      throws ShardFormatException {
    if (found < 0 || found > limit) {
      throw ShardFormatException.mismatch(resource, what, "at most " + limit, found);
    }
    return found;
  }

  private static String text(@Nullable String text) {
    return text == null ? "" : text;
  }
}
