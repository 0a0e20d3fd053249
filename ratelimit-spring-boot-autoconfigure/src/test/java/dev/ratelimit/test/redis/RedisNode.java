package dev.ratelimit.test.redis;

/**
 * A Redis server that was started, and what can be done to it. Its port never changes.
 */
interface RedisNode {

	String host();

	int port();

	void kill();

	void pause();

	void resume();

	void stop();

	void restart();

	void restartUnready();

	void close();

}
