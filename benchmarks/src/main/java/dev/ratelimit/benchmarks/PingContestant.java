package dev.ratelimit.benchmarks;

import java.util.concurrent.CompletionStage;

import io.lettuce.core.codec.StringCodec;

final class PingContestant extends LettuceContestant<String> {

	PingContestant(Setup setup) {
		super(setup.redis(), StringCodec.UTF8);
	}

	@Override
	public CompletionStage<Boolean> decide(String key) {
		return commands().ping().thenApply("PONG"::equals);
	}

	@Override
	public boolean limits() {
		return false;
	}

}
