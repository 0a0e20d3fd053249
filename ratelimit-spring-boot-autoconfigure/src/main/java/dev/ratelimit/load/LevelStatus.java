package dev.ratelimit.load;

/**
 * Internal: the requests of a level, now and since the start.
 *
 * @param inFlight how many are processed
 * @param queued how many wait for a seat
 * @param allowed how many have got a seat
 * @param shed how many were shed before the rules were evaluated
 * @param shedLate how many were shed after that
 * @param wouldShed how many had found no seat, but for the shadow mode
 */
public record LevelStatus(int inFlight, int queued, long allowed, long shed, long shedLate, long wouldShed) {

}
