package dev.ratelimit.benchmarks.openloop;

/**
 * The outcome of a request.
 */
enum Outcome {

	/** A response with 2xx in time. */
	GOOD,

	/** A response with another status in time. */
	SHED,

	/** No response within the timeout of the client. */
	LATE,

	/** The connection was rejected or broke. */
	FAILED

}
