package dev.ratelimit.benchmarks;

import java.util.concurrent.CompletionStage;

import io.lettuce.core.codec.StringCodec;

final class PingContestant extends LettuceContestant<String> {

	PingContestant(RedisAddress redis, Limit limit) {
		super(redis, StringCodec.UTF8);
	}

	@Override
	public CompletionStage<Boolean> decide(String key) {
		return commands().ping().thenApply("PONG"::equals);
	}

}
