package dev.ratelimit.live;

import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;

import dev.ratelimit.store.Upkeep;
import org.jspecify.annotations.Nullable;

/**
 * Internal: live rules in a file, such as one of a config map. Thread-safe.
 */
public final class FileRuleSource implements RuleSource {

	private static final Duration INTERVAL = Duration.ofMillis(250);

	private final WatchedFile file;

	private final Upkeep upkeep;

	private final Duration interval;

	private Upkeep.@Nullable Task rounds;

	/**
	 * Create a source that is not read yet.
	 * @param file the file; while it does not exist, the source is unavailable
	 * @param upkeep runs the reads
	 */
	FileRuleSource(Path file, Upkeep upkeep) {
		this(file, upkeep, INTERVAL);
	}

	FileRuleSource(Path file, Upkeep upkeep, Duration interval) {
		this.file = new WatchedFile(file);
		this.upkeep = upkeep;
		this.interval = interval;
	}

	@Override
	public String name() {
		return "file";
	}

	@Override
	public synchronized void start(Consumer<? super Reading> receiver) {
		this.file.forget();
		this.rounds = this.upkeep.start(Duration.ZERO, this.interval, "The file of the rules could not be watched",
				() -> look(receiver));
	}

	// A read that starts after the close has no effect.
	private synchronized void look(Consumer<? super Reading> receiver) {
		if (this.rounds != null) {
			this.file.look(receiver);
		}
	}

	@Override
	public synchronized void close() {
		Upkeep.Task running = this.rounds;
		this.rounds = null;
		if (running != null) {
			running.close();
		}
	}

}
