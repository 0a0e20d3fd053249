package dev.ratelimit.benchmarks;

import java.util.concurrent.CompletionStage;

/**
 * A contestant for rows that measure rejections: it allows a request if the other
 * contestant rejects it. The first request of each key is charged in advance.
 *
 * @param rejecting the other contestant
 */
record RejectingContestant(Contestant rejecting) implements Contestant {

	/** The option to measure rejections. */
	static final String OPTION = "rejected";

	static Contestant of(Contestant contestant, Setup setup) {
		return (setup.option(OPTION, "false").equals("true")) ? new RejectingContestant(contestant) : contestant;
	}

	@Override
	public void prepare(String[] keys) {
		for (String key : keys) {
			this.rejecting.decideNow(key);
		}
	}

	@Override
	public CompletionStage<Boolean> decide(String key) {
		return this.rejecting.decide(key).thenApply((allowed) -> !allowed);
	}

	@Override
	public boolean decideNow(String key) {
		return !this.rejecting.decideNow(key);
	}

	@Override
	public void close() {
		this.rejecting.close();
	}

}
