package dev.ratelimit.benchmarks;

import java.util.concurrent.atomic.AtomicInteger;

import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * Picks keys at random, at almost no cost. Each thread has its own state.
 */
@State(Scope.Thread)
public class KeyPicker {

	private static final int GOLDEN_RATIO = 0x9E3779B9;

	private static final AtomicInteger SEEDS = new AtomicInteger();

	private int state = SEEDS.incrementAndGet() * GOLDEN_RATIO;

	String pick(String[] keys) {
		int next = this.state;
		next ^= next << 13;
		next ^= next >>> 17;
		next ^= next << 5;
		this.state = next;
		return keys[(int) (((next & 0xFFFFFFFFL) * keys.length) >>> Integer.SIZE)];
	}

}
