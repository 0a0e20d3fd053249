package dev.ratelimit.test.redis;

import java.nio.file.Path;
import java.util.List;

/**
 * The source of the servers of this JVM.
 */
sealed interface RedisSource {

	String name();

	RedisNode start(List<String> arguments);

	record Executable(String name, Path file) implements RedisSource {

		@Override
		public RedisNode start(List<String> arguments) {
			return FreePort.tryPorts((port) -> ProcessNode.start(this.file, port, arguments));
		}

		RedisNode startSentinel(List<String> configuration) {
			return FreePort.tryPorts((port) -> ProcessNode.startSentinel(this.file, port, configuration));
		}

	}

	record Docker() implements RedisSource {

		@Override
		public String name() {
			return RedisServers.TESTCONTAINERS;
		}

		@Override
		public RedisNode start(List<String> arguments) {
			return FreePort.tryPorts((port) -> ContainerNode.start(port, arguments));
		}

	}

}
