package dev.ratelimit.test.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The least rights with which limits can be counted. Every server for tests has users
 * that have these and no others.
 *
 * @param user the user's name
 * @param rules what the user may do, as {@code ACL SETUSER} takes it
 */
public record RedisRights(String user, String rules) {

	/** Each user's password. */
	public static final String PASSWORD = "secret";

	/** On one server, or in a Sentinel group. */
	public static final RedisRights ON_SERVER = new RedisRights("limiter",
			"resetchannels ~rl:* +eval +evalsha +time +del +exists +get +set +pexpire +pttl"
					+ " +zadd +zcard +zcount +zincrby +zmscore +zrange +zrem +zremrangebyscore +zscore");

	/** On each node of a cluster. */
	public static final RedisRights ON_CLUSTER = new RedisRights("cluster-limiter",
			ON_SERVER.rules() + " +cluster|nodes +asking");

	/** What rules, switches, instances, and bans in Redis need besides. */
	private static final String LIVE = " +hget +hmget +hset +hsetnx +hgetall +hdel +hincrby +xadd +zrangebyscore";

	/** On one server, or in a Sentinel group, with live rules. */
	public static final RedisRights LIVE_ON_SERVER = new RedisRights("live-limiter", ON_SERVER.rules() + LIVE);

	/** On each node of a cluster, with live rules. */
	public static final RedisRights LIVE_ON_CLUSTER = new RedisRights("cluster-live-limiter",
			ON_CLUSTER.rules() + LIVE);

	/**
	 * The command that makes the user.
	 */
	public String command() {
		return "ACL SETUSER %s on >%s %s".formatted(this.user, PASSWORD, this.rules);
	}

	/**
	 * The arguments by which a server has both users from its start.
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
