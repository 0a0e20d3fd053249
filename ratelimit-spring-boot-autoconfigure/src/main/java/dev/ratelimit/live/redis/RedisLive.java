package dev.ratelimit.live.redis;

import java.time.InstantSource;
import java.util.function.IntSupplier;

import dev.ratelimit.store.Time;
import dev.ratelimit.store.Upkeep;
import dev.ratelimit.store.redis.RedisClock;
import dev.ratelimit.store.redis.RedisConnector;
import dev.ratelimit.store.redis.SharedKeys;

/**
 * Internal: the parts with which an instance shares rules, switches, and its own state
 * through Redis. They share one poll and one clock. No task runs before a part is
 * started.
 */
public final class RedisLive {

	private final SharedKeys live;

	private final SharedKeys instances;

	private final LiveClock clock;

	/** On a cluster, the reports of instances are on another server. */
	private final LiveClock instancesClock;

	private final LivePoll poll;

	private final Upkeep upkeep;

	/**
	 * Create the access of an instance to the live rules that all instances share.
	 * @param connector the connection
	 * @param prefix the prefix of the keys of the application
	 * @param clock the clock that scripts use
	 * @param system this instance's clock
	 * @param time the monotonic time
	 * @param instances the number of instances
	 * @param upkeep runs the polls
	 */
	RedisLive(RedisConnector connector, String prefix, RedisClock clock, InstantSource system, Time time,
			IntSupplier instances, Upkeep upkeep) {
		this.live = new SharedKeys(connector, prefix, "live", clock, system);
		this.instances = new SharedKeys(connector, prefix, "fleet", clock, system);
		this.clock = new LiveClock(clock, system, time);
		this.instancesClock = new LiveClock(clock, system, time);
		this.poll = new LivePoll(this.live, this.clock, upkeep, instances);
		this.upkeep = upkeep;
	}

	/**
	 * Return the source of the rules.
	 * @return a source of rules
	 */
	RedisRuleSource rules() {
		return new RedisRuleSource(new DocumentStore(this.live), this.poll, this.clock);
	}

	/**
	 * Return the store of the switches.
	 * @return a store of switches
	 */
	RedisSwitchStore switches() {
		return new RedisSwitchStore(this.live, this.poll, this.clock);
	}

	/**
	 * Return the keys of the data that all instances share.
	 * @return the keys
	 */
	public SharedKeys keys() {
		return this.live;
	}

	/**
	 * Return the poll of the data that all instances share.
	 * @return the poll
	 */
	public LivePoll poll() {
		return this.poll;
	}

	/**
	 * Return the clock of all times that instances share.
	 * @return the clock
	 */
	public LiveClock clock() {
		return this.clock;
	}

	/**
	 * Return the board on which instances report.
	 * @return the board
	 */
	RedisInstanceBoard instances() {
		return new RedisInstanceBoard(this.instances, this.instancesClock, this.upkeep);
	}

}
