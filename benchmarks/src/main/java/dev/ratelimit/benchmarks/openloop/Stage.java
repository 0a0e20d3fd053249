package dev.ratelimit.benchmarks.openloop;

import java.time.Duration;

/**
 * A part of a run.
 *
 * @param name the name of the stage
 * @param length the duration of the stage
 * @param load the rate of arrivals, as a multiple of the capacity
 * @param mix the composition of the requests
 * @param slowness the factor for the service times of the backend
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
	 * The purpose of a stage.
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

		/** Four fifths of the capacity, after three times the capacity. */
		BACK,

		/** Three times the capacity. Nine tenths of the requests are high. */
		MOSTLY_HIGH,

		/** Three times the capacity. Nearly all requests are from one tenant. */
		NOISY,

		/** Three times the capacity. The backend becomes slower. */
		SLOWER,

		/** Clients that wait for their responses. */
		CLOSED

	}

}
