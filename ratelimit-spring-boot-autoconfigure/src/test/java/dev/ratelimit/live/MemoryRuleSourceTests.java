package dev.ratelimit.live;

import java.time.Duration;

import dev.ratelimit.store.Upkeep;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

class MemoryRuleSourceTests extends WritableRuleSourceContract {

	private static final Duration ROUND = Duration.ofMillis(50);

	private final MemoryRuleSource source = new MemoryRuleSource();

	private final Upkeep upkeep = new Upkeep();

	// A source with change notifications also reads again at intervals.
	@BeforeEach
	void read() {
		this.upkeep.start(Duration.ZERO, ROUND, "failed", this.source::tellUnchanged);
	}

	@AfterEach
	void end() {
		this.upkeep.close();
	}

	@Override
	protected WritableRuleSource source() {
		return this.source;
	}

	@Override
	protected Duration settled() {
		return ROUND.multipliedBy(4);
	}

	@Override
	protected void put(String text) {
		this.source.put(text);
	}

	@Override
	protected void remove() {
		this.source.remove();
	}

}
