package dev.ratelimit.test.redis;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

import org.testcontainers.DockerClientFactory;

/**
 * Finds out whether Docker appears to be installed and responds. A socket that accepts
 * connections but does not reply could block the second call forever. The call therefore
 * runs on a daemon thread with a timeout.
 */
final class DockerCheck {

	private static final Duration LIMIT = Duration.ofSeconds(15);

	private final String dockerHost;

	private final List<Path> sockets;

	private final Callable<Boolean> client;

	private final Duration limit;

	DockerCheck(String dockerHost, List<Path> sockets, Callable<Boolean> client, Duration limit) {
		this.dockerHost = dockerHost;
		this.sockets = sockets;
		this.client = client;
		this.limit = limit;
	}

	static DockerCheck ofEnvironment(Map<String, String> environment) {
		List<Path> sockets = Stream
			.of("/var/run", System.getProperty("user.home") + "/.docker/run",
					environment.getOrDefault("XDG_RUNTIME_DIR", ""))
			.map((directory) -> Path.of(directory, "docker.sock"))
			.filter(Path::isAbsolute)
			.toList();
		return new DockerCheck(environment.getOrDefault("DOCKER_HOST", ""), sockets,
				() -> DockerClientFactory.instance().isDockerAvailable(), LIMIT);
	}

	boolean looksThere() {
		return !this.dockerHost.isBlank() || this.sockets.stream().anyMatch(Files::exists);
	}

	boolean answers() {
		FutureTask<Boolean> answer = new FutureTask<>(this.client);
		Thread thread = new Thread(answer, "docker-check");
		thread.setDaemon(true);
		thread.start();
		try {
			return answer.get(this.limit.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (TimeoutException ex) {
			return false;
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException("the Docker client failed", ex.getCause());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("interrupted while asking Docker", ex);
		}
	}

}
