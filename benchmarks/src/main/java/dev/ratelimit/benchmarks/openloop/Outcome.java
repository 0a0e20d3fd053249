package dev.ratelimit.benchmarks.openloop;

/**
 * What became of a request.
 */
enum Outcome {

	/** A response with 2xx in time. */
	GOOD,

	/** A response with another status in time. */
	SHED,

	/** None within the client's timeout. */
	LATE,

	/** The connection was rejected or broke. */
	FAILED

}
