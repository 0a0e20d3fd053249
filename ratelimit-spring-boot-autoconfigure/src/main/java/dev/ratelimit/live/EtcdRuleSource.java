package dev.ratelimit.live;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.regex.Pattern;

import dev.ratelimit.store.Upkeep;

/**
 * Internal: live rules in etcd, each in a key {@code <prefix>rules/<id>}, which is only
 * read. Thread-safe.
 */
public final class EtcdRuleSource implements RuleSource {

	private static final Duration INTERVAL = Duration.ofMillis(500);

	private static final Duration RETRY = Duration.ofSeconds(1);

	private final EtcdSettings settings;

	private final Upkeep upkeep;

	private Optional<Running> running = Optional.empty();

	/**
	 * Create a source that is not read yet.
	 * @param settings the connection to etcd
	 * @param upkeep runs the reads
	 */
	EtcdRuleSource(EtcdSettings settings, Upkeep upkeep) {
		this.settings = settings;
		this.upkeep = upkeep;
	}

	@Override
	public String name() {
		return "etcd";
	}

	@Override
	public void start(Consumer<? super Reading> receiver) {
		EtcdRules rules = new EtcdRules(new EtcdClient(this.settings), this.settings.prefix(), receiver);
		Upkeep.Task rounds = this.upkeep.start(Duration.ZERO, () -> (rules.failing()) ? RETRY : INTERVAL,
				"Failed to read the rules from etcd", rules::look);
		replace(Optional.of(new Running(rules, rounds)));
	}

	@Override
	public void close() {
		replace(Optional.empty());
	}

	private void replace(Optional<Running> next) {
		Optional<Running> former;
		synchronized (this) {
			former = this.running;
			this.running = next;
		}
		former.ifPresent((running) -> {
			running.rules().close();
			running.rounds().close();
		});
	}

	private record Running(EtcdRules rules, Upkeep.Task rounds) {
	}

	/**
	 * The rules in etcd, and their published state. Reads do not overlap.
	 */
	private static final class EtcdRules {

		private final EtcdClient client;

		private final String root;

		private final Consumer<? super Reading> receiver;

		/** The form of ids; other names are not shown in messages. */
		private static final Pattern ID = Pattern.compile("[a-z][a-z0-9-]{0,63}");

		/** The id of the etcd cluster that was read last. */
		private String cluster = "";

		private long revision;

		private long version;

		private String digest = "";

		/**
		 * Whether the last content was invalid, so that the former document must be
		 * published again.
		 */
		private boolean rejected;

		private volatile boolean failing;

		private boolean closed;

		EtcdRules(EtcdClient client, String prefix, Consumer<? super Reading> receiver) {
			this.client = client;
			this.root = prefix + "rules/";
			this.receiver = receiver;
		}

		boolean failing() {
			return this.failing;
		}

		void look() {
			try {
				EtcdRange seen = this.client.key(this.root);
				if (seen.cluster().equals(this.cluster) && seen.revision() == this.revision) {
					publish(new Unchanged());
				}
				else {
					read(this.client.prefix(this.root, RuleTree.MAX_RULES + 1));
				}
				this.failing = false;
			}
			catch (EtcdException ex) {
				this.failing = true;
				publish(new Failed(String.valueOf(ex.getMessage())));
			}
		}

		private void read(EtcdRange range) {
			boolean same = range.cluster().equals(this.cluster);
			this.cluster = range.cluster();
			this.revision = range.revision();
			// If the last rule is deleted, an empty document is published; if etcd never
			// had rules, no document is.
			if (range.entries().isEmpty() && (!same || this.digest.isEmpty())) {
				this.digest = "";
				this.rejected = false;
				publish(new Absent());
				return;
			}
			try {
				Map<String, Object> rules = rules(range);
				RuleTree.check(rules);
				changed(range.latest(), rules);
			}
			catch (IllegalArgumentException ex) {
				this.rejected = true;
				publish(new Invalid(range.latest(), String.valueOf(ex.getMessage())));
			}
		}

		private Map<String, Object> rules(EtcdRange range) {
			Map<String, Object> rules = new LinkedHashMap<>();
			for (EtcdRange.Entry entry : range.entries()) {
				String id = entry.name().substring(this.root.length());
				try {
					rules.put(id, RuleText.definition(entry.text()));
				}
				catch (IllegalArgumentException ex) {
					throw new IllegalArgumentException(
							((ID.matcher(id).matches()) ? "rules." + id : "a rule") + ": " + ex.getMessage(), ex);
				}
			}
			return rules;
		}

		// The content is compared, because revisions also change with other keys, and a
		// deleted key has no revision.
		private void changed(long latest, Map<String, Object> rules) {
			String next = RuleText.digest(rules);
			if (next.equals(this.digest) && !this.rejected) {
				publish(new Unchanged());
				return;
			}
			this.digest = next;
			this.rejected = false;
			this.version = Math.max(this.version + 1, latest);
			RuleDocument document = new RuleDocument(this.version, next, rules, Map.of(), OptionalLong.empty());
			publish(new Changed(document));
		}

		private synchronized void publish(Reading reading) {
			if (!this.closed) {
				this.receiver.accept(reading);
			}
		}

		/** Stop calls of the receiver. */
		synchronized void close() {
			this.closed = true;
		}

	}

}
