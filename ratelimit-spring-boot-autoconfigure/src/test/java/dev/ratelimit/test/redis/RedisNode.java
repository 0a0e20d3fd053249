package dev.ratelimit.test.redis;

/**
 * A running Redis server and the operations on it. Its port never changes.
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
