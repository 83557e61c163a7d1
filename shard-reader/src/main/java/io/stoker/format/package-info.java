/**
 * The format of a Stoker dataset, version 1: its specification, its constants and its validation.
 * First in the flow format ← index ← plan ← reader: nothing here knows what comes after it.
 *
 * <h2>1. Dataset</h2>
 *
 * A dataset is a directory, or a key prefix of an object store:
 *
 * <pre>
 * dataset.json     what the dataset is and which objects it consists of; written last, once
 * blocks-….arrow   the block table: where every block is, and its checksum
 * shards/…arrow    the shards
 * </pre>
 *
 * The names of the block table and of the shards are those that {@code dataset.json} gives; each is
 * unique to the job that wrote it, so that two jobs on one directory never overwrite each other's
 * objects. Other objects may lie beside these and mean nothing to a reader. A dataset exists only
 * once {@code dataset.json} does. No object ever changes, no name is used twice. Object names in
 * {@code dataset.json} are relative to the directory, separated by {@code /}; no part is empty,
 * {@code .} or {@code ..}, and there is no control character, backslash or colon. All numbers in
 * all files are little-endian. Every CRC-32C is the Castagnoli polynomial as in RFC 3720; JSON
 * spells it as eight lower-case hexadecimal digits, Arrow as an int64 in [0, 2<sup>32</sup>).
 *
 * <p>Words: a <em>sample</em> is a training example; a <em>pack</em> is one or more samples,
 * concatenated; a <em>block</em> is some packs, one record batch, the unit of fetching, checking
 * and shuffling; a <em>shard</em> is a file of blocks.
 *
 * <h2>2. dataset.json</h2>
 *
 * One JSON object in UTF-8, without duplicate keys. A reader looks at {@code format} and {@code
 * format-version} before it judges anything else, and ignores keys it does not know.
 *
 * <table>
 * <caption>Keys; all are required but value-table-crc32c, fingerprints and settings</caption>
 * <tr><th>key</th><th>value</th></tr>
 * <tr><td>format</td><td>{@code "stoker-dataset"}</td></tr>
 * <tr><td>format-version</td><td>integer, section 6</td></tr>
 * <tr><td>dataset-id</td><td>string, not empty; every Arrow file of the dataset repeats it</td></tr>
 * <tr><td>software-version</td><td>string</td></tr>
 * <tr><td>counts</td><td>object of integers: samples, packs, tokens, supervised-tokens, patches; and
 *     rejects, an object from reason code to integer (may be absent)</td></tr>
 * <tr><td>pixels</td><td>object: encoding ({@code "uint8"}, {@code "bfloat16"} or {@code "float32"}),
 *     temporal ({@code "single"} or {@code "duplicated"})</td></tr>
 * <tr><td>value-table</td><td>3 arrays (red, green, blue) of 256 numbers: the value, rounded to the
 *     nearest binary32, that stands for each raw pixel value</td></tr>
 * <tr><td>value-table-crc32c</td><td>string, 8 hex digits: CRC-32C of those 768 values as
 *     little-endian binary32, for nothing else would notice a damaged one</td></tr>
 * <tr><td>fingerprints</td><td>object of strings: digests of what the samples depend on</td></tr>
 * <tr><td>settings</td><td>object of strings: the configuration and profile</td></tr>
 * <tr><td>block-table</td><td>object: name, bytes (length of the file), crc32c (of the whole
 *     file)</td></tr>
 * <tr><td>shards</td><td>array of objects: name, bytes, crc32c (both of the whole file), blocks (at
 *     least 1)</td></tr>
 * </table>
 *
 * <h2>3. Aligned Arrow files</h2>
 *
 * Shards and block table are Arrow IPC files (metadata version V5, little-endian) that any Arrow
 * implementation reads, restricted as follows.
 *
 * <ul>
 *   <li>Shorter than 2<sup>31</sup> bytes. No dictionaries, no compression, no field is nullable.
 *   <li>The custom metadata of the schema has {@code stoker.format} ({@code stoker-shard} or {@code
 *       stoker-blocks}), {@code stoker.format-version} (decimal) and {@code stoker.dataset-id}.
 *   <li>Layout: {@code ARROW1} and two zero bytes; the schema message; the record batch messages,
 *       one directly after the other; the end-of-stream marker {@code ffffffff 00000000}; the
 *       footer; its length as int32; {@code ARROW1}.
 *   <li>A message is {@code ffffffff}, the length of its metadata as int32 (padding included), the
 *       flatbuffer, padding, and its body. The metadata of each message is padded so that what
 *       follows it starts at a multiple of 64 of the file. Hence every record batch message, every
 *       body and, with the next rule, every buffer does.
 *   <li>In a body each buffer starts at a multiple of 64, in the order of the schema, without
 *       overlap; its length in the metadata is exactly that of its values; the body's length is a
 *       multiple of 64. All padding is zero. The null count of every node is 0 and every validity
 *       buffer has length 0.
 *   <li>Offsets of lists and strings start at 0, never fall, and end at the length of the child.
 * </ul>
 *
 * <h2>4. Shards</h2>
 *
 * The metadata of a shard's schema also has {@code stoker.pixel-encoding} and {@code
 * stoker.pixel-temporal}, equal to those of {@code dataset.json}. Its columns, all required, in
 * this order; one row is one pack:
 *
 * <table>
 * <caption>Columns; L is the number of tokens of the pack, n of its images, P of its patches</caption>
 * <tr><th>name</th><th>Arrow type</th><th>content</th></tr>
 * <tr><td>sample_ids</td><td>list&lt;utf8&gt;</td><td>provenance, one per segment, at least one</td></tr>
 * <tr><td>cu_seqlens</td><td>list&lt;int32&gt;</td><td>0, then the end of each segment, strictly rising
 *     to L</td></tr>
 * <tr><td>input_ids</td><td>list&lt;int64&gt;</td><td>L token ids</td></tr>
 * <tr><td>labels</td><td>list&lt;int64&gt;</td><td>L labels; −100 is not trained; no shift</td></tr>
 * <tr><td>position_ids</td><td>list&lt;int64&gt;</td><td>3·L, row-major [3][L]: temporal, height,
 *     width; each segment starts again at 0</td></tr>
 * <tr><td>pixel_values</td><td>list&lt;fixed_size_list&lt;V, K&gt;&gt;</td><td>P patches of K values, in
 *     the order of the images</td></tr>
 * <tr><td>image_grid_thw</td><td>list&lt;fixed_size_list&lt;int64, 3&gt;&gt;</td><td>n rows t, h, w, all
 *     at least 1; the sum of t·h·w is P</td></tr>
 * </table>
 *
 * <p>The names of list items are {@code item}. A pack without images has n = P = 0.
 *
 * <p>A patch is row-major {@code [3][T][16][16]}: channel, temporal slot, row, column, with T = 1
 * (K = 768) if temporal is {@code single} and T = 2 (K = 1536, both slots equal) if it is {@code
 * duplicated}. The patches of an image follow each other in merge order: blocks of 2 x 2 patches,
 * row by row; within a block again row by row. V is uint8 for {@code uint8}: the raw pixel, to be
 * mapped by the value table. For {@code float32} it is the mapped value as float; for {@code
 * bfloat16} its upper 16 bits, rounded to nearest even, as uint16 with the field metadata {@code
 * stoker.dtype=bfloat16} on the innermost field.
 *
 * <p>A block is one record batch message from its {@code ffffffff} to the end of its body; offset,
 * length and CRC-32C of a block are over exactly these bytes. A block has at least one pack.
 *
 * <h2>5. Block table</h2>
 *
 * An aligned Arrow file with exactly one record batch, one row per block, ordered by shard, then by
 * offset. A block can therefore be read without looking at its shard's schema or footer.
 *
 * <table>
 * <caption>Columns of the block table</caption>
 * <tr><th>name</th><th>Arrow type</th><th>content</th></tr>
 * <tr><td>shard</td><td>int32</td><td>index into shards of {@code dataset.json}</td></tr>
 * <tr><td>offset</td><td>int64</td><td>first byte of the block in the shard, a multiple of 64</td></tr>
 * <tr><td>length</td><td>int64</td><td>bytes of the block, a multiple of 64</td></tr>
 * <tr><td>packs</td><td>int32</td><td>rows of the block</td></tr>
 * <tr><td>samples</td><td>int32</td><td>segments of all its packs</td></tr>
 * <tr><td>tokens</td><td>int64</td><td>tokens of all its packs</td></tr>
 * <tr><td>patches</td><td>int64</td><td>patches of all its packs</td></tr>
 * <tr><td>crc32c</td><td>int64</td><td>CRC-32C of the block</td></tr>
 * </table>
 *
 * <p>The sums of packs, samples, tokens and patches are those of {@code counts}. A reader of a
 * large table may leave its checksum aside and check each row when it uses it: the block must lie
 * inside its shard, match the checksum and have the counts that the row claims.
 *
 * <h2>6. Versions</h2>
 *
 * One number for all files of a dataset. A reader states the range it knows and answers with one of
 * <em>too old</em>, <em>too new</em> and <em>corrupt</em>, in this order of precedence. The number
 * rises only when an older reader would be wrong; what an older reader may ignore becomes an
 * optional key instead. For every version a dataset is kept among the tests.
 *
 * <ul>
 *   <li>1: the first.
 * </ul>
 */
@NullMarked
package io.stoker.format;

import org.jspecify.annotations.NullMarked;
