package dev.ratelimit.load;

/**
 * Internal: the requests of a level, now and since the start.
 *
 * @param inFlight the number of requests that are processed
 * @param queued the number of requests that wait for a seat
 * @param allowed the number of requests that have received a seat
 * @param shed the number of requests that were shed before the rules were evaluated
 * @param shedLate the number of requests that were shed after the rules were evaluated
 * @param wouldShed the number of requests that shadow mode has allowed without a seat
 */
public record LevelStatus(int inFlight, int queued, long allowed, long shed, long shedLate, long wouldShed) {

}
