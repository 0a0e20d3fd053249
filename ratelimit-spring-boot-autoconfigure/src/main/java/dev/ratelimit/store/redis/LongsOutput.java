package dev.ratelimit.store.redis;

import java.nio.ByteBuffer;

import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.output.CommandOutput;

/**
 * Reads a flat array of integers without boxing.
 */
final class LongsOutput extends CommandOutput<byte[], byte[], long[]> {

	private static final long[] NONE = {};

	private int filled;

	LongsOutput(RedisCodec<byte[], byte[]> codec) {
		super(codec, NONE);
	}

	@Override
	public void multi(int count) {
		this.output = new long[Math.max(0, count)];
	}

	@Override
	public void set(long integer) {
		this.output[this.filled++] = integer;
	}

	@Override
	public void set(ByteBuffer bytes) {
		throw new IllegalStateException("an integer was expected");
	}

}
