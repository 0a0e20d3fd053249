package dev.ratelimit.test.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The least permissions that are sufficient to count limits. Every test server has users
 * with exactly these permissions.
 *
 * @param user the name of the user
 * @param rules the permissions, in the format of {@code ACL SETUSER}
 */
public record RedisRights(String user, String rules) {

	/** The password of each user. */
	public static final String PASSWORD = "secret";

	/** The permissions on one server or in a Sentinel group. */
	public static final RedisRights ON_SERVER = new RedisRights("limiter",
			"resetchannels ~rl:* +eval +evalsha +time +del +exists +get +set +pexpire +pttl"
					+ " +zadd +zcard +zcount +zincrby +zmscore +zrange +zrem +zremrangebyscore +zscore");

	/** The permissions on each node of a cluster. */
	public static final RedisRights ON_CLUSTER = new RedisRights("cluster-limiter",
			ON_SERVER.rules() + " +cluster|nodes +asking");

	/** The additional permissions for rules, switches, instances, and bans in Redis. */
	private static final String LIVE = " +hget +hmget +hset +hsetnx +hgetall +hdel +hincrby +xadd +zrangebyscore";

	/** The permissions on one server or in a Sentinel group, with live rules. */
	public static final RedisRights LIVE_ON_SERVER = new RedisRights("live-limiter", ON_SERVER.rules() + LIVE);

	/** The permissions on each node of a cluster, with live rules. */
	public static final RedisRights LIVE_ON_CLUSTER = new RedisRights("cluster-live-limiter",
			ON_CLUSTER.rules() + LIVE);

	/**
	 * Return the command that creates the user.
	 */
	public String command() {
		return "ACL SETUSER %s on >%s %s".formatted(this.user, PASSWORD, this.rules);
	}

	/**
	 * Return the arguments that create all users at the start of a server.
	 */
	static List<String> arguments() {
		List<String> arguments = new ArrayList<>();
		for (RedisRights rights : List.of(ON_SERVER, ON_CLUSTER, LIVE_ON_SERVER, LIVE_ON_CLUSTER)) {
			arguments.addAll(List.of("--user", rights.user(), "on", ">" + PASSWORD));
			arguments.addAll(Stream.of(rights.rules().split(" ")).toList());
		}
		return arguments;
	}

}
