/**
 * The format of a Stoker dataset, version 1: its specification, its constants and its validation.
 * First in the flow format ← index ← plan ← reader: nothing here knows what comes after it.
 *
 * <p>The text is meant to be enough for a reader in another language: sections 1 to 6 say what the
 * files are, section 7 in which order an epoch reads them, section 8 how a run is resumed, section
 * 9 what the job does with records that it cannot use. Section 10 lists all limits, section 11 has
 * an example and test vectors.
 *
 * <p>There are two kinds of rules. A reader can check most of them: {@code stoker verify} checks
 * each one in the whole dataset, a reader in training those of the index and of the blocks that it
 * reads. Where the text says <em>the writer sees to it</em>, the rule holds for every dataset that
 * the job writes, but no reader checks it.
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
 * once {@code dataset.json} does. No object ever changes, no name is used twice.
 *
 * <p>An object name in {@code dataset.json} is relative to the directory, separated by {@code /}.
 * It has 1 to 1,024 UTF-16 units. No part of it is empty, {@code .} or {@code ..}, and it contains
 * no control character (below U+0020, and U+007F), no backslash and no colon.
 *
 * <p>All numbers in all files are little-endian. Every CRC-32C is the Castagnoli polynomial as in
 * RFC 3720; JSON spells it as eight lower-case hexadecimal digits, Arrow as an int64 in [0,
 * 2<sup>32</sup>).
 *
 * <p>Words: a <em>sample</em> is a training example; a <em>pack</em> is one or more samples,
 * concatenated; a sample inside a pack is a <em>segment</em>; a <em>block</em> is some packs, one
 * record batch, the unit of fetching, checking and shuffling; a <em>shard</em> is a file of blocks.
 *
 * <h2>2. dataset.json</h2>
 *
 * One JSON object in UTF-8, and nothing after it. No object in it has the same key twice. A reader
 * looks at {@code format} and {@code format-version} before it judges anything else, and ignores
 * keys it does not know. An integer has no fraction and no exponent. It fits 64 bits, and none here
 * is negative.
 *
 * <table>
 * <caption>Keys; all are required but value-table-crc32c, fingerprints and settings</caption>
 * <tr><th>key</th><th>value</th></tr>
 * <tr><td>format</td><td>{@code "stoker-dataset"}</td></tr>
 * <tr><td>format-version</td><td>integer, section 6</td></tr>
 * <tr><td>dataset-id</td><td>string, not empty; every Arrow file of the dataset repeats it</td></tr>
 * <tr><td>software-version</td><td>string</td></tr>
 * <tr><td>counts</td><td>object of integers: samples, packs, tokens, supervised-tokens (those whose
 *     label is trained), patches; and rejects, an object from reason code (section 9) to integer
 *     (may be absent)</td></tr>
 * <tr><td>pixels</td><td>object of strings: encoding ({@code "uint8"}, {@code "bfloat16"} or {@code
 *     "float32"}), temporal ({@code "single"} or {@code "duplicated"}); each encoding goes with each
 *     temporal</td></tr>
 * <tr><td>value-table</td><td>3 arrays (red, green, blue) of 256 numbers: the value, rounded to the
 *     nearest binary32, that stands for each raw pixel value; all are finite</td></tr>
 * <tr><td>value-table-crc32c</td><td>string, 8 hex digits: CRC-32C of those 768 values as
 *     little-endian binary32, red first; nothing else would notice a damaged one</td></tr>
 * <tr><td>fingerprints</td><td>object of strings: digests of what the samples depend on</td></tr>
 * <tr><td>settings</td><td>object of strings: the configuration and profile</td></tr>
 * <tr><td>block-table</td><td>object: name, bytes (length of the file), crc32c (of the whole
 *     file)</td></tr>
 * <tr><td>shards</td><td>array of objects: name, bytes, crc32c (both of the whole file), blocks (at
 *     least 1)</td></tr>
 * </table>
 *
 * <p>An unknown member of {@code pixels} must be a string too.
 *
 * <h2>3. Aligned Arrow files</h2>
 *
 * Shards and block table are Arrow IPC files (metadata version V5, little-endian) that any Arrow
 * implementation reads, restricted as follows.
 *
 * <ul>
 *   <li>Shorter than 2<sup>31</sup> bytes. No dictionaries, no compression, no field is nullable.
 *   <li>The custom metadata of the schema has {@code stoker.format} ({@code stoker-shard} or {@code
 *       stoker-blocks}), {@code stoker.format-version} (decimal, 1 to 9 digits) and {@code
 *       stoker.dataset-id}. A reader ignores other entries.
 *   <li>The schema has exactly the columns of section 4 or 5, in this order, with these names and
 *       types. The names of list items are {@code item}.
 *   <li>Layout: {@code ARROW1} and two zero bytes; the schema message; the record batch messages,
 *       one directly after the other; the end-of-stream marker {@code ffffffff 00000000}; the
 *       footer; its length as int32; {@code ARROW1}. The footer lists the record batches in the
 *       order of the file. The writer sees to it that nothing else lies between these parts. The
 *       schema message ends within the first 64 KiB.
 *   <li>A message is {@code ffffffff}, the length of its metadata as int32 (padding included), the
 *       flatbuffer, padding, and its body. The metadata of each message is padded so that what
 *       follows it starts at a multiple of 64 of the file. Hence every record batch message, every
 *       body and, with the next rule, every buffer does.
 *   <li>In a body each buffer starts at a multiple of 64, in the order of the schema, without
 *       overlap; its length in the metadata is exactly that of its values; the body's length is a
 *       multiple of 64. The null count of every node is 0 and every validity buffer has length 0.
 *       The writer sees to it that all padding is zero and that no gap is longer than the padding.
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
 *     width</td></tr>
 * <tr><td>pixel_values</td><td>list&lt;fixed_size_list&lt;V, K&gt;&gt;</td><td>P patches of K values, in
 *     the order of the images</td></tr>
 * <tr><td>image_grid_thw</td><td>list&lt;fixed_size_list&lt;int64, 3&gt;&gt;</td><td>n rows t, h, w, all
 *     at least 1; the sum of t·h·w is P</td></tr>
 * </table>
 *
 * <p>A pack without images has n = P = 0.
 *
 * <p><b>Samples.</b> At least one label of each segment is not −100. A sample id is the id that the
 * manifest gives, or the manifest's file name, a colon and the line number. It is UTF-8. Ids may
 * repeat, also inside a pack: nothing else in a dataset refers to them.
 *
 * <p><b>Positions.</b> The writer sees to it that the positions of each segment start again at 0.
 * Text moves all three on by 1 per token. The tokens of an image share one temporal position and
 * count rows and columns of its merged grid from there; the text after it goes on at the longer
 * side of that grid.
 *
 * <p><b>Images.</b> A still image has t = 1. h and w count patches of 16 x 16 pixels. The writer
 * sees to it that t is 1, that h and w are even, and that an image with t·h·w patches has t·h·w / 4
 * placeholder tokens in {@code input_ids}, without a gap. The images of a pack follow each other as
 * their placeholders do.
 *
 * <p><b>Patches.</b> A patch is row-major {@code [3][T][16][16]}: channel, temporal slot, row,
 * column. The channels are red, green, blue. T = 1 (K = 768) if temporal is {@code single} and T =
 * 2 (K = 1536) if it is {@code duplicated}; the writer sees to it that both slots are equal. The
 * patches of an image follow each other in merge order: blocks of 2 x 2 patches, row by row; within
 * a block again row by row.
 *
 * <p><b>Values.</b> V is uint8 for {@code uint8}: the raw pixel, to be mapped by the value table.
 * For {@code float32} it is the mapped value as float; for {@code bfloat16} its upper 16 bits,
 * rounded to nearest even, as uint16 with {@code stoker.dtype=bfloat16} as the only metadata of the
 * innermost field.
 *
 * <p><b>Blocks.</b> A block is one record batch message from its {@code ffffffff} to the end of its
 * body; offset, length and CRC-32C of a block are over exactly these bytes. A block has at least
 * one pack.
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
 * <tr><td>length</td><td>int64</td><td>bytes of the block, a positive multiple of 64</td></tr>
 * <tr><td>packs</td><td>int32</td><td>rows of the block, at least 1</td></tr>
 * <tr><td>samples</td><td>int32</td><td>segments of all its packs, at least packs</td></tr>
 * <tr><td>tokens</td><td>int64</td><td>tokens of all its packs, at least samples</td></tr>
 * <tr><td>patches</td><td>int64</td><td>patches of all its packs</td></tr>
 * <tr><td>crc32c</td><td>int64</td><td>CRC-32C of the block</td></tr>
 * </table>
 *
 * <p>The number of rows is the sum of the shards' blocks, and each shard has as many rows as its
 * blocks say. The sums of packs, samples, tokens and patches are those of {@code counts}. The
 * footer of a shard lists exactly the blocks that the table has of it. A reader of a large table
 * may leave its checksum aside and check each row when it uses it: the block must lie inside its
 * shard, match the checksum and have the counts that the row claims.
 *
 * <h2>6. Versions</h2>
 *
 * One number for all files of a dataset. A reader states the range it knows and answers with one of
 * <em>too old</em>, <em>too new</em> and <em>corrupt</em>, in this order of precedence. In an Arrow
 * file and in a cursor it looks at the name of the format first: the number of another format says
 * nothing. The number rises only when an older reader would be wrong; what an older reader may
 * ignore becomes an optional key instead. For every version a dataset is kept among the tests.
 *
 * <ul>
 *   <li>1: the first.
 * </ul>
 *
 * <h2>7. The plan</h2>
 *
 * The plan says which packs each rank gets at which step of an epoch. It depends on the packs
 * column of the block table, on a seed (a signed 64-bit integer), on the epoch (counted from 0), on
 * the global batch (packs of one step over all ranks), on the micro-batch (packs of one forward
 * pass; it divides the global batch) and on the remainder policy, {@code drop} or {@code pad}. It
 * does not depend on the number of ranks. It is part of the contract: every later version finds the
 * same packs.
 *
 * <p><b>Block order.</b> B is the number of blocks. Words have 64 bits and no sign; sums and
 * products are modulo 2<sup>64</sup>; a seed below 0 is its two's complement; {@code ^} is
 * exclusive or, {@code >>} shifts zeros in and binds tighter than {@code ^}.
 *
 * <pre>{@code
 * F1 = 0xBF58476D1CE4E5B9   F2 = 0x94D049BB133111EB   G = 0x9E3779B97F4A7C15
 *
 * mix(z):                     the last steps of SplitMix64
 *   z = (z ^ z >> 30) * F1
 *   z = (z ^ z >> 27) * F2
 *   return z ^ z >> 31
 *
 * scaled(key, value, bound):  a number below the bound
 *   z = (key ^ value) * F1
 *   z = (z ^ z >> 32) * F2
 *   return ((z >> 32) * bound) >> 32
 *
 * a = the square root of B, rounded up
 * b = B / a, rounded up
 * state = mix(seed + G) ^ epoch
 * key[i] = mix(state + (i + 1) * G)   for i = 0, …, 5
 *
 * image(x):                   a Feistel network of six half rounds over a rectangle a x b
 *   repeat
 *     left = x mod a
 *     right = x / a, rounded down
 *     for i = 0, 2, 4
 *       left = (left + scaled(key[i], right, a)) mod a
 *       right = (right + scaled(key[i + 1], left, b)) mod b
 *     x = left + right * a
 *   until x < B
 *   return x
 * }</pre>
 *
 * <p>The blocks image(0), image(1), …, image(B − 1), each with its packs in their own order, form
 * one sequence of N packs, where N is {@code counts.packs}. A reader refuses a table whose packs do
 * not sum up to it.
 *
 * <p><b>Lanes.</b> There are global batch / micro-batch lanes. An epoch has N / global batch steps,
 * rounded down for {@code drop} and up for {@code pad}. At step s lane l gets the micro-batch that
 * starts at position (l · steps + s) · micro-batch of the sequence, so that each lane walks through
 * a part of its own. With {@code drop} the positions that no lane reaches are left out of this
 * epoch; they are fewer than a global batch, and another epoch leaves out other packs. With {@code
 * pad} position p ≥ N holds the pack at p mod N once more, as padding: a reader serves −100 in
 * place of each of its labels and all else as it is stored. A reader refuses a dataset without
 * packs, and with {@code drop} one that has fewer packs than a global batch.
 *
 * <p><b>Ranks.</b> The number of ranks W divides the number of lanes. Rank r serves the lanes from
 * r · lanes / W up to, not including, (r + 1) · lanes / W: at each step one lane after the other,
 * then the next step. Step 0 of the next epoch follows the last step.
 *
 * <p><b>Micro-batches.</b> Several packs are served as one longer pack: {@code cu_seqlens} is 0 and
 * then the ends of all segments, each moved by the tokens of the packs before its own; {@code
 * position_ids} has the first axis of all packs, then the second, then the third; all other columns
 * are concatenated.
 *
 * <h2>8. The cursor</h2>
 *
 * A cursor is the whole state that a run needs to go on: the step that is to be taken next. It
 * belongs to no rank; all ranks have the same one after a step. It moves by whole steps, and by
 * what the trainer was given, never by what was read ahead. After the last step of an epoch it
 * names step 0 of the next one. It is one line of JSON, under the rules of section 2:
 *
 * <pre>{@code
 * {"format":"stoker-cursor","format-version":1,"dataset-id":"d-1","seed":-5,"epoch":2,"step":81234,"lanes":64,"micro-batch":2,"remainder":"pad"}
 * }</pre>
 *
 * <p>All keys are required; a reader ignores others. The seed is a signed 64-bit integer; epoch and
 * step are at least 0; lanes and micro-batch are in [1, 2<sup>31</sup>). The global batch is lanes
 * · micro-batch. The number of ranks is not in it, so that a run may go on with another one. The
 * version of a cursor has nothing to do with that of the dataset: it rises when an older reader
 * would resume at other packs. Version 1 is the first.
 *
 * <p>A reader refuses a cursor that is longer than 4,096 characters, of another format, of a
 * version that it does not know or damaged. It refuses one of another run, and names what differs:
 * the dataset id, the seed, the lanes, the micro-batch or the remainder. It refuses a step beyond
 * the steps of the epoch.
 *
 * <h2>9. The quarantine</h2>
 *
 * The job writes the records that it cannot use to objects {@code rejects/….jsonl} beside the
 * dataset. Those that belong to the dataset are listed in {@code rejects-files} of {@code
 * report.json}. Each line is one JSON object in UTF-8, ended by a line feed:
 *
 * <table>
 * <caption>Members; all are present, of the last two exactly one</caption>
 * <tr><th>member</th><th>value</th></tr>
 * <tr><td>reason</td><td>string: the reason code, a lower-case name such as {@code bad_json}, {@code
 *     image_missing} or {@code too_long}; {@code counts.rejects} counts by it</td></tr>
 * <tr><td>detail</td><td>string: what was expected and what was found, for people</td></tr>
 * <tr><td>manifest</td><td>string: URI of the manifest</td></tr>
 * <tr><td>offset</td><td>integer: where the line starts in the manifest, in bytes</td></tr>
 * <tr><td>line</td><td>integer: its number, counted from 1, blank lines included</td></tr>
 * <tr><td>record</td><td>string: the line as it stands in the manifest, without its line end (LF or
 *     CRLF), if it is UTF-8</td></tr>
 * <tr><td>record-base64</td><td>string: the same bytes in base64 (RFC 4648, with padding, without
 *     line ends), if they are not UTF-8</td></tr>
 * </table>
 *
 * <p>Two things make a record differ from its line. User info and signed queries of URIs are
 * replaced by {@code redacted}, because they may be credentials. A line longer than {@code
 * manifest.max-line-bytes} is cut one byte after that limit.
 *
 * <p>A quarantine object can be given to the job as a manifest. A line that has exactly these
 * members is then read as the record inside, with the origin that it states: relative references
 * are resolved against the directory of {@code manifest}. That origin is a claim. The job believes
 * it only if the directory is one that it reads manifests from, or if {@code image.root} says where
 * images lie. A record that is rejected again keeps its first origin. A line of a quarantine is
 * longer than its record, and is itself subject to {@code manifest.max-line-bytes}.
 *
 * <h2>10. Limits</h2>
 *
 * A writer must stay within these; a reader may refuse what exceeds them, and Stoker's does.
 *
 * <table>
 * <caption>Limits</caption>
 * <tr><th>what</th><th>at most</th></tr>
 * <tr><td>dataset.json</td><td>2<sup>30</sup> bytes</td></tr>
 * <tr><td>JSON: a key or a string</td><td>65,536 UTF-16 units</td></tr>
 * <tr><td>JSON: depth of objects and arrays, the outermost included</td><td>16</td></tr>
 * <tr><td>JSON: a number</td><td>32 digits</td></tr>
 * <tr><td>JSON: members of pixels, fingerprints, settings and rejects, each</td><td>4,096</td></tr>
 * <tr><td>a cursor</td><td>4,096 UTF-16 units; hence a dataset id has about 3,800</td></tr>
 * <tr><td>shards of a dataset</td><td>2<sup>24</sup></td></tr>
 * <tr><td>an object name</td><td>1,024 UTF-16 units</td></tr>
 * <tr><td>a shard, the block table</td><td>2<sup>31</sup> − 1 bytes each, at least 1</td></tr>
 * <tr><td>blocks of a dataset</td><td>41 million: a row takes 52 bytes of the block table (the plan
 *     ends at 2<sup>30</sup>)</td></tr>
 * <tr><td>end of the schema message in a file</td><td>65,536 bytes, its padding included</td></tr>
 * <tr><td>columns of a schema; entries of its custom metadata</td><td>64 each</td></tr>
 * <tr><td>elements of one column of one block, below each list</td><td>2<sup>31</sup> − 1: offsets
 *     are int32</td></tr>
 * <tr><td>tokens of a block</td><td>(2<sup>31</sup> − 1) / 3: each has three positions</td></tr>
 * <tr><td>global batch, micro-batch, ranks</td><td>2<sup>31</sup> − 1 each</td></tr>
 * </table>
 *
 * <p>The job itself stays further below: it ends a block before its patches pass 2<sup>30</sup>
 * bytes.
 *
 * <h2>11. Example and test vectors</h2>
 *
 * The files of this section are in {@code shard-reader/src/test/resources/golden}, and the tests
 * hold the text and the files equal. This is {@code v1/dataset.json}; … stands for numbers left
 * out:
 *
 * <pre>{@code
 * {
 *   "format" : "stoker-dataset",
 *   "format-version" : 1,
 *   "dataset-id" : "golden",
 *   "software-version" : "test",
 *   "counts" : {
 *     "samples" : 4,
 *     "packs" : 3,
 *     "tokens" : 12,
 *     "supervised-tokens" : 12,
 *     "patches" : 12,
 *     "rejects" : {
 *       "bad_json" : 2
 *     }
 *   },
 *   "pixels" : {
 *     "encoding" : "uint8",
 *     "temporal" : "single"
 *   },
 *   "value-table" : [ [ -1.0, -0.99215686, … 1.0 ], [ -1.0, … 1.0 ], [ -1.0, … 0.99215686, 1.0 ] ],
 *   "value-table-crc32c" : "c20ff089",
 *   "fingerprints" : {
 *     "tokenizer" : "0123"
 *   },
 *   "settings" : {
 *     "pack.max-tokens" : "4096"
 *   },
 *   "block-table" : {
 *     "name" : "blocks.arrow",
 *     "bytes" : 2458,
 *     "crc32c" : "93fcba83"
 *   },
 *   "shards" : [ {
 *     "name" : "shards/00/test.arrow",
 *     "bytes" : 7458,
 *     "crc32c" : "8a987862",
 *     "blocks" : 1
 *   }, {
 *     "name" : "shards/01/test.arrow",
 *     "bytes" : 10466,
 *     "crc32c" : "56bd75ff",
 *     "blocks" : 1
 *   } ]
 * }
 * }</pre>
 *
 * <p>The rows of {@code v1/blocks.arrow}:
 *
 * <pre>
 * shard  offset  length  packs  samples  tokens  patches  crc32c
 *     0    1216    4992      2        3       8        4  3559475d
 *     1    1216    8000      1        1       4        8  61a226b5
 * </pre>
 *
 * <p>The start of {@code v1/shards/00/test.arrow} and of its only block, by offset:
 *
 * <pre>
 *    0  4152524f 57310000 ffffffff b0040000  ARROW1; metadata of 0x4b0 = 1200 bytes, up to 1216
 *   16  10000000 00000a00 0e000600 05000800  the flatbuffer of the schema message begins
 *
 * 1216  ffffffff 78030000 14000000 00000000  metadata of 0x378 = 888 bytes: the body is at 2112
 * 1232  0c001600 06000500 08000c00 0c000000
 * 1248  00030400 18000000 00100000 00000000  type 3 (record batch), version 4 (V5), body of 4096
 * 1264  00000a00 18000c00 08000400 0a000000
 * 1280  14000000 08020000 02000000 00000000  2 rows
 * </pre>
 *
 * <p>CRC-32C of the ASCII digits {@code 123456789} is {@code e3069283}, that of 32 zero bytes
 * {@code 8a9136aa}.
 *
 * <p>For 1000 blocks, seed 42 and epoch 7, a = b = 32 and the plan's words are
 *
 * <pre>
 * mix(G)    e220a8397b1dcdaf
 * state     bdd732262feb6e92
 * key       16062d6c1339e500 9aa2311424083235 17ae01fbbc52e2dd
 *           f63544c682b3179e 13c405479e2de3b5 516d98b82fe4dfe3
 * image(0)  464, then 698 343 908 166 546 220 62
 * </pre>
 *
 * <p>The other files: {@code permutations.csv} and {@code plans.csv} have vectors of the plan;
 * {@code v1-<encoding>-<temporal>} are datasets with the same two packs in each pixel layout;
 * {@code v1-epoch} has 25 packs in 12 blocks of 3 shards; {@code broken-v1.txt} breaks one rule
 * after the other and says what the Java reader answers. {@code
 * shard-reader/python/tests/spec_reader.py} is a reader of 60 lines that was written from this
 * text.
 */
@NullMarked
package io.stoker.format;

import org.jspecify.annotations.NullMarked;
