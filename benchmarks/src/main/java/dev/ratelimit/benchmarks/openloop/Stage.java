package dev.ratelimit.benchmarks.openloop;

import java.time.Duration;

/**
 * A part of a run.
 *
 * @param name its name
 * @param length how long it lasts
 * @param load arrivals as a multiple of the capacity
 * @param mix which requests come
 * @param slowness how many times as long the backend takes
 */
record Stage(Name name, Duration length, double load, Mix mix, double slowness) {

	static Stage of(Name name, double seconds, double load) {
		return of(name, seconds, load, Mix.USUAL);
	}

	static Stage of(Name name, double seconds, double load, Mix mix) {
		return new Stage(name, Duration.ofMillis((long) (seconds * 1000)), load, mix, 1);
	}

	Stage slower(double times) {
		return new Stage(this.name, this.length, this.load, this.mix, times);
	}

	Stage shortened(double part) {
		return new Stage(this.name, Duration.ofMillis((long) (this.length.toMillis() * part)), this.load, this.mix,
				this.slowness);
	}

	/**
	 * What a stage is for.
	 */
	enum Name {

		/** Not measured. */
		WARM_UP,

		/** Half of the capacity. */
		UNLOADED,

		/** Four fifths of the capacity. */
		BELOW,

		/** Three times the capacity. */
		OVER,

		/** Four fifths again. */
		BACK,

		/** Three times, nine tenths of it high. */
		MOSTLY_HIGH,

		/** Three times, nearly all by one tenant. */
		NOISY,

		/** Three times, and the backend becomes slower. */
		SLOWER,

		/** Clients that wait for their response. */
		CLOSED

	}

}
