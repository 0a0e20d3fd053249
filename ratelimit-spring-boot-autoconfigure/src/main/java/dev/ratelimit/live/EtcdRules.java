package dev.ratelimit.live;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * The rules in etcd, and what was told of them. Looks never overlap.
 */
final class EtcdRules {

	private final EtcdClient client;

	private final String root;

	private final RuleSourceListener listener;

	/** Other names are not shown. */
	private static final Pattern ID = Pattern.compile("[a-z][a-z0-9-]{0,63}");

	/** Which etcd, and as of when, was read last. */
	private String cluster = "";

	private long revision;

	private long version;

	private String digest = "";

	private volatile boolean failing;

	private boolean closed;

	EtcdRules(EtcdClient client, String prefix, RuleSourceListener listener) {
		this.client = client;
		this.root = prefix + "rules/";
		this.listener = listener;
	}

	boolean failing() {
		return this.failing;
	}

	void look() {
		try {
			EtcdRange seen = this.client.key(this.root);
			if (seen.cluster().equals(this.cluster) && seen.revision() == this.revision) {
				tell(RuleSourceListener::unchanged);
			}
			else {
				read(this.client.prefix(this.root, RuleTree.MAX_RULES + 1));
			}
			this.failing = false;
		}
		catch (EtcdException ex) {
			this.failing = true;
			tell((told) -> told.failed(String.valueOf(ex.getMessage())));
		}
	}

	private void read(EtcdRange range) {
		boolean same = range.cluster().equals(this.cluster);
		this.cluster = range.cluster();
		this.revision = range.revision();
		// Whoever deletes the last rule wants none; an etcd that never had any is
		// another.
		if (range.entries().isEmpty() && (!same || this.digest.isEmpty())) {
			this.digest = "";
			tell(RuleSourceListener::absent);
			return;
		}
		try {
			Map<String, Object> rules = rules(range);
			RuleTree.check(rules);
			changed(range.latest(), rules);
		}
		catch (IllegalArgumentException ex) {
			tell((told) -> told.invalid(range.latest(), String.valueOf(ex.getMessage())));
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

	// Other keys have revisions too, and what is deleted has none.
	private void changed(long latest, Map<String, Object> rules) {
		String next = RuleText.digest(rules);
		if (next.equals(this.digest)) {
			tell(RuleSourceListener::unchanged);
			return;
		}
		this.digest = next;
		this.version = Math.max(this.version + 1, latest);
		RuleDocument document = new RuleDocument(this.version, next, rules, Map.of(), OptionalLong.empty());
		tell((told) -> told.changed(document));
	}

	private synchronized void tell(Consumer<RuleSourceListener> call) {
		if (!this.closed) {
			call.accept(this.listener);
		}
	}

	/** The listener is not called from now on. */
	synchronized void close() {
		this.closed = true;
	}

}
