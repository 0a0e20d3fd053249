package dev.ratelimit.fault;

import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import dev.ratelimit.test.fault.FaultProxy;
import dev.ratelimit.test.redis.TestRedis;
import org.awaitility.Awaitility;

import org.springframework.boot.WebApplicationType;

/**
 * An application that connects to Redis through a proxy. Each fault uses a new server.
 */
final class Scene implements AutoCloseable {

	private final FaultProxy proxy;

	private final Instance instance;

	private TestRedis server = TestRedis.start();

	private ScheduledExecutorService repeater = Executors.newSingleThreadScheduledExecutor();

	Scene(WebApplicationType stack, String... more) {
		this.proxy = FaultProxy.to(this.server.host(), this.server.port());
		String[] redis = Instance.redis(this.proxy.host(), this.proxy.port());
		this.instance = Instance.start(stack, concat(redis, more));
	}

	private static String[] concat(String[] one, String[] other) {
		return Stream.of(one, other).flatMap(Arrays::stream).toArray(String[]::new);
	}

	TestRedis server() {
		return this.server;
	}

	FaultProxy proxy() {
		return this.proxy;
	}

	Instance instance() {
		return this.instance;
	}

	/**
	 * Switch to a new server, and wait until it makes decisions.
	 * @param arguments the arguments of the server
	 */
	void renew(String... arguments) {
		TestRedis former = this.server;
		this.server = TestRedis.start(arguments);
		this.proxy.upstream(this.server.port());
		former.close();
		awaitAnswers("renewed");
	}

	void awaitAnswers(String caller) {
		try (HttpCaller http = new HttpCaller(this.instance.port())) {
			Awaitility.await()
				.pollInterval(Duration.ofMillis(10))
				.atMost(Duration.ofSeconds(20))
				.until(() -> http.get(Target.OPEN, caller).counted());
		}
		this.instance.awaitHealthy();
	}

	void repeatedly(Duration interval, Runnable action) {
		this.repeater.scheduleAtFixedRate(action, 0, interval.toMillis(), TimeUnit.MILLISECONDS);
	}

	void noLonger() {
		this.repeater.shutdown();
		Awaitility.await().until(this.repeater::isTerminated);
		this.repeater = Executors.newSingleThreadScheduledExecutor();
	}

	@Override
	public void close() {
		this.repeater.shutdownNow();
		this.instance.close();
		this.proxy.close();
		this.server.close();
	}

}
