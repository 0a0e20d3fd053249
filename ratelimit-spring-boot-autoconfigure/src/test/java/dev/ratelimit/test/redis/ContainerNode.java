package dev.ratelimit.test.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.command.InspectContainerResponse.ContainerState;
import com.redis.testcontainers.RedisContainer;
import org.awaitility.Awaitility;
import org.testcontainers.containers.ContainerLaunchException;

/**
 * A server in a container. Its port on the host is fixed, so that the port remains the
 * same after a restart.
 */
final class ContainerNode implements RedisNode {

	private final Container container;

	private ContainerNode(Container container) {
		this.container = container;
	}

	static ContainerNode start(int port, List<String> arguments) {
		Container container = new Container(port);
		List<String> command = new ArrayList<>(List.of("redis-server", "--save", "", "--appendonly", "no"));
		command.addAll(RedisRights.arguments());
		command.addAll(arguments);
		container.withCommand(command.toArray(String[]::new));
		try {
			container.start();
			return new ContainerNode(container);
		}
		catch (ContainerLaunchException ex) {
			container.stop();
			throw new IllegalStateException("no redis container on port " + port, ex);
		}
	}

	RedisContainer container() {
		return this.container;
	}

	@Override
	public String host() {
		return this.container.getRedisHost();
	}

	@Override
	public int port() {
		return this.container.getRedisPort();
	}

	@Override
	public void kill() {
		if (isRunning()) {
			docker().killContainerCmd(id()).exec();
			Awaitility.await().until(() -> !isRunning());
		}
	}

	@Override
	public void pause() {
		docker().pauseContainerCmd(id()).exec();
	}

	@Override
	public void resume() {
		docker().unpauseContainerCmd(id()).exec();
	}

	@Override
	public void stop() {
		docker().stopContainerCmd(id()).exec();
	}

	@Override
	public void restart() {
		kill();
		docker().startContainerCmd(id()).exec();
		Awaitility.await().ignoreExceptions().until(() -> call("PING").equals("PONG"));
	}

	@Override
	public void restartUnready() {
		kill();
		docker().startContainerCmd(id()).exec();
		Awaitility.await().ignoreExceptions().until(() -> !call("INFO", "server").isEmpty());
	}

	@Override
	public void close() {
		this.container.stop();
	}

	private String call(String... words) {
		try (RespClient client = RespClient.connect(host(), port(), Duration.ofSeconds(1))) {
			return client.call(words);
		}
	}

	private boolean isRunning() {
		ContainerState state = docker().inspectContainerCmd(id()).exec().getState();
		return Boolean.TRUE.equals(state.getRunning());
	}

	private DockerClient docker() {
		return this.container.getDockerClient();
	}

	private String id() {
		return this.container.getContainerId();
	}

	/**
	 * A container that Spring does not close. Spring closes containers that are beans,
	 * but this one serves several application contexts and outlives them.
	 */
	private static final class Container extends RedisContainer {

		private static final String IMAGE = "redis:8.2";

		Container(int port) {
			super(IMAGE);
			addFixedExposedPort(port, REDIS_PORT);
		}

		@Override
		public void close() {
			// Only stop() ends the container.
		}

	}

}
