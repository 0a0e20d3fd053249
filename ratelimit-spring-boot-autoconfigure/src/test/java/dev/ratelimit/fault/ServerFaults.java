package dev.ratelimit.fault;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

import dev.ratelimit.fault.Fault.Loss;
import dev.ratelimit.test.redis.TestRedis;
import org.awaitility.Awaitility;

/**
 * Faults of one server and of the connection to it.
 */
final class ServerFaults {

	private static final Duration OFTEN = Duration.ofMillis(40);

	/**
	 * The number of reply bytes after a handshake. Some decisions succeed, and one is
	 * cut.
	 */
	private static final int SOME_BYTES = 700;

	private ServerFaults() {
	}

	/**
	 * Return the most informative faults, which run on each stack.
	 */
	static List<Fault> first() {
		return List.of(
				Fault.of("stopped (SIGSTOP)", Loss.NOTHING, (scene) -> scene.server().pause(),
						(scene) -> scene.server().resume()),
				Fault.of("killed, restarted empty", Loss.DATA, (scene) -> scene.server().kill(),
						(scene) -> scene.server().restart()),
				Fault.of("half-open (black hole)", Loss.REPLIES, (scene) -> scene.proxy().blackHole(),
						(scene) -> scene.proxy().heal()),
				Fault.of("+300 ms", Loss.NOTHING, (scene) -> scene.proxy().delay(Duration.ofMillis(150)),
						(scene) -> scene.proxy().heal()));
	}

	static List<Fault> network() {
		return List.of(
				Fault.of("+30 ms", Loss.NOTHING, (scene) -> scene.proxy().delay(Duration.ofMillis(15)),
						(scene) -> scene.proxy().heal()),
				Fault.of("+80 ms (late replies)", Loss.NOTHING, (scene) -> scene.proxy().delay(Duration.ofMillis(40)),
						(scene) -> scene.proxy().heal()),
				Fault.of("stalled, all arrives later", Loss.NOTHING, (scene) -> scene.proxy().stall(),
						(scene) -> scene.proxy().heal()),
				Fault.of("connections reset, 25 a second", Loss.REPLIES,
						(scene) -> scene.repeatedly(OFTEN, scene.proxy()::reset), Scene::noLonger),
				Fault.of("connections refused", Loss.REPLIES, (scene) -> scene.proxy().refuse(),
						(scene) -> scene.proxy().heal()),
				Fault.of("replies cut", Loss.REPLIES, (scene) -> scene.proxy().cutReplies(SOME_BYTES),
						(scene) -> scene.proxy().heal()));
	}

	static List<Fault> server() {
		return List.of(
				Fault.of("killed, restarted with AOF", Loss.REPLIES, (scene) -> scene.server().kill(),
						(scene) -> scene.server().restart(), TestRedis.APPENDING),
				Fault.of("SCRIPT FLUSH, 25 a second", Loss.NOTHING,
						(scene) -> scene.repeatedly(OFTEN, () -> scene.server().command("SCRIPT", "FLUSH")),
						Scene::noLonger),
				Fault.of("out of memory, noeviction", Loss.NOTHING, configure("maxmemory", "1"),
						configure("maxmemory", "0")),
				Fault.of("demoted (READONLY)", Loss.NOTHING, (scene) -> demote(scene.server()),
						(scene) -> scene.server().command("REPLICAOF", "NO", "ONE")),
				Fault.of("restarted, LOADING", Loss.DATA, ServerFaults::load, ServerFaults::loaded,
						TestRedis.LOADING_SLOWLY));
	}

	private static Consumer<Scene> configure(String name, String value) {
		return (scene) -> scene.server().command("CONFIG", "SET", name, value);
	}

	// Set a nonexistent master. The server keeps its data until it connects to a master.
	private static void demote(TestRedis server) {
		server.command("REPLICAOF", server.host(), "1");
	}

	private static void load(Scene scene) {
		scene.server().fillForLoading();
		scene.server().kill();
		scene.server().restartUnready();
	}

	private static void loaded(Scene scene) {
		Awaitility.await()
			.pollInterval(Duration.ofMillis(20))
			.ignoreExceptions()
			.until(() -> scene.server().command("PING").equals("PONG"));
	}

}
