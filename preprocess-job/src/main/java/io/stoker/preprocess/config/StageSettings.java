package io.stoker.preprocess.config;

import io.stoker.preprocess.decode.DecodeSettings;
import io.stoker.preprocess.fetch.FetchSettings;
import io.stoker.preprocess.pack.PackSettings;
import io.stoker.preprocess.sample.SampleSettings;
import io.stoker.preprocess.shard.ShardSettings;
import io.stoker.preprocess.text.TextSettings;
import java.io.Serializable;

/**
 * The settings of all stages, each stage's own record for itself. Travels to the executors as it
 * was parsed.
 *
 * @param pixels how pixels are made and stored
 * @param shard where shards and blocks end
 */
public record StageSettings(
    SampleSettings sample,
    FetchSettings fetch,
    DecodeSettings decode,
    PixelSettings pixels,
    TextSettings text,
    PackSettings pack,
    ShardSettings shard)
    implements Serializable {}
