package dev.ratelimit.base;

import java.time.InstantSource;

/**
 * Internal: the clock of this instance. It is a separate type, because clocks that
 * applications define as beans are not meant for rate limits.
 *
 * @param source the clock
 */
public record WallClock(InstantSource source) {

	public static WallClock system() {
		return new WallClock(InstantSource.system());
	}

}
