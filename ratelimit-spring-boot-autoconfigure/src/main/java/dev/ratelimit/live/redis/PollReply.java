package dev.ratelimit.live.redis;

/**
 * Internal: the reply of Redis to a poll.
 *
 * @param nowMillis the time, in milliseconds since the epoch
 * @param version the newest version; 0 if there is none
 * @param digest 48 bits of its digest
 * @param switches the counter of the switches
 * @param candidate the counter of the candidate
 */
public record PollReply(long nowMillis, long version, long digest, long switches, long candidate) {

	static PollReply of(long[] reply) {
		return new PollReply(reply[0], reply[1], reply[2], reply[4], reply[5]);
	}

}
