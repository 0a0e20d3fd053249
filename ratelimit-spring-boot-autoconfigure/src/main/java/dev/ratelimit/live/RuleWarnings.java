package dev.ratelimit.live;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * Internal: logs each warning of rules once, even if rules are prepared repeatedly, and
 * collects the warnings of dry runs. Thread-safe.
 */
public final class RuleWarnings {

	private static final int MAX_REMEMBERED = 1000;

	private final Consumer<String> log;

	private final Set<String> logged = Collections.synchronizedSet(new LinkedHashSet<>());

	private final ThreadLocal<@Nullable Set<String>> collected = new ThreadLocal<>();

	/**
	 * Create a collector of warnings.
	 * @param log receives each warning once
	 */
	RuleWarnings(Consumer<String> log) {
		this.log = log;
	}

	/**
	 * Collect a warning, or log it if it was not logged before.
	 * @param warning the warning
	 */
	void add(String warning) {
		Set<String> collecting = this.collected.get();
		if (collecting != null) {
			collecting.add(warning);
		}
		else if (this.logged.size() < MAX_REMEMBERED && this.logged.add(warning)) {
			this.log.accept(warning);
		}
	}

	<T> Collected<T> collect(Supplier<T> work) {
		Set<String> warnings = new LinkedHashSet<>();
		this.collected.set(warnings);
		try {
			T result = work.get();
			return new Collected<>(result, new ArrayList<>(warnings));
		}
		finally {
			this.collected.remove();
		}
	}

	/**
	 * A result, and the warnings of its computation.
	 *
	 * @param <T> the type of the result
	 * @param result the result
	 * @param warnings the warnings
	 */
	public record Collected<T>(T result, List<String> warnings) {
	}

}
