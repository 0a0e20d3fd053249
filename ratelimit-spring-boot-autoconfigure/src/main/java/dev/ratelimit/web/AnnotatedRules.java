package dev.ratelimit.web;

import java.lang.reflect.AnnotatedElement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

import dev.ratelimit.FailurePolicy;
import dev.ratelimit.MissingKey;
import dev.ratelimit.Phase;
import dev.ratelimit.RateLimited;
import dev.ratelimit.RuleMode;
import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.LimitDefinition;
import dev.ratelimit.rule.QuotaDefinition;
import dev.ratelimit.rule.Rule;
import dev.ratelimit.rule.RuleDefinition;
import dev.ratelimit.rule.RuleOptions;

import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;

/**
 * The rules that annotations on handler methods write or name.
 *
 * @since 0.1.0
 */
public final class AnnotatedRules {

	private static final int LONGEST_ID = 64;

	private static final RuleDefinition NOTHING = new RuleDefinition(Rule.Match.NONE, List.of(), QuotaDefinition.EMPTY,
			Map.of(),
			options(Optional.of("1"), Optional.empty(), Optional.empty(), Optional.empty(), Phase.AUTO, 0, false),
			false);

	private final Map<String, Written> definitions = new LinkedHashMap<>();

	private final Map<String, Class<?>> owners = new HashMap<>();

	private final Map<HandlerKey, List<String>> byHandler = new LinkedHashMap<>();

	/**
	 * Read the annotations of handler methods.
	 * @param handlers the handler methods
	 * @return the rules
	 * @throws InvalidRuleException if annotations contradict each other
	 */
	public static AnnotatedRules of(Collection<HandlerKey> handlers) {
		AnnotatedRules rules = new AnnotatedRules();
		handlers.stream().distinct().forEach(rules::read);
		return rules;
	}

	/**
	 * The definitions that annotations write.
	 * @return by id
	 */
	public Map<String, Written> definitions() {
		return this.definitions;
	}

	/**
	 * The ids of the rules of each handler method, written there or elsewhere.
	 * @return by handler method; handler methods without rules are left out
	 */
	public Map<HandlerKey, List<String>> byHandler() {
		return this.byHandler;
	}

	private void read(HandlerKey handler) {
		String type = kebab(ClassUtils.getUserClass(handler.type()).getSimpleName());
		List<RateLimited> own = annotations(handler.method());
		if (!own.isEmpty()) {
			bind(handler, own, type + "-" + kebab(handler.method().getName()));
			return;
		}
		List<RateLimited> shared = annotations(ClassUtils.getUserClass(handler.type()));
		if (!shared.isEmpty()) {
			bind(handler, shared, type);
		}
	}

	private void bind(HandlerKey handler, List<RateLimited> annotations, String defaultId) {
		List<String> ids = new ArrayList<>();
		int unnamed = 0;
		for (RateLimited annotation : annotations) {
			boolean named = !annotation.id().isEmpty() || !annotation.rule().isEmpty();
			unnamed += (named) ? 0 : 1;
			ids.add(bind(handler, annotation, bounded((unnamed > 1) ? defaultId + "-" + unnamed : defaultId)));
		}
		this.byHandler.put(handler, ids.stream().distinct().toList());
	}

	private String bind(HandlerKey handler, RateLimited annotation, String defaultId) {
		String culprit = "@RateLimited on " + handler;
		if (!annotation.rule().isEmpty()) {
			if (!annotation.id().isEmpty() || !definition(culprit, annotation).equals(NOTHING)) {
				throw new InvalidRuleException(culprit, annotation.rule(),
						"'rule' names a rule that is written elsewhere, and other attributes write one here",
						"Keep one of them.");
			}
			return annotation.rule();
		}
		String id = (annotation.id().isEmpty()) ? defaultId : annotation.id();
		Written written = new Written(culprit, definition(culprit, annotation));
		Class<?> owner = this.owners.computeIfAbsent(id, (key) -> handler.type());
		Written present = this.definitions.putIfAbsent(id, written);
		boolean clash = present != null && !present.definition().equals(written.definition());
		if (clash || (present != null && annotation.id().isEmpty() && !sharesClass(handler, owner))) {
			throw new InvalidRuleException(culprit, id, "there is another rule of this id, by " + present.culprit(),
					"Give one of them an 'id' of its own.");
		}
		return id;
	}

	// All methods of a class share the rule that its annotation writes.
	private static boolean sharesClass(HandlerKey handler, Class<?> owner) {
		return handler.type().equals(owner) && annotations(handler.method()).isEmpty();
	}

	private static RuleDefinition definition(String culprit, RateLimited annotation) {
		QuotaDefinition quota = new QuotaDefinition(Arrays.stream(annotation.value()).map(LimitDefinition::of).toList(),
				(annotation.burst() == 0) ? OptionalLong.empty() : OptionalLong.of(annotation.burst()),
				(annotation.algorithm().isEmpty()) ? Optional.empty() : Optional.of(annotation.algorithm()));
		RuleOptions options = options(Optional.of(annotation.cost()), only(culprit, "failure", annotation.failure()),
				only(culprit, "mode", annotation.mode()), only(culprit, "onMissingKey", annotation.onMissingKey()),
				annotation.phase(), annotation.status(), annotation.idempotency())
			.with(only(culprit, "consistency", annotation.consistency()));
		return new RuleDefinition(Rule.Match.NONE, List.of(annotation.key()), quota, Map.of(), options, false);
	}

	private static RuleOptions options(Optional<String> cost, Optional<FailurePolicy> failure, Optional<RuleMode> mode,
			Optional<MissingKey> onMissingKey, Phase phase, int status, boolean idempotency) {
		return new RuleOptions(cost, failure, mode, onMissingKey,
				(phase == Phase.AUTO) ? Optional.empty() : Optional.of(phase),
				(status == 0) ? OptionalInt.empty() : OptionalInt.of(status),
				(idempotency) ? Optional.of(true) : Optional.empty(), Optional.empty(), List.of(), Optional.empty());
	}

	private static <T> Optional<T> only(String culprit, String attribute, T[] values) {
		if (values.length > 1) {
			throw new InvalidRuleException(culprit, Arrays.toString(values),
					"'" + attribute + "' takes at most one value", "Keep one of them.");
		}
		return Arrays.stream(values).findFirst();
	}

	private static List<RateLimited> annotations(AnnotatedElement element) {
		return MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY)
			.stream(RateLimited.class)
			.map(MergedAnnotation::synthesize)
			.toList();
	}

	private static String kebab(String camel) {
		return camel.replaceAll("([a-z0-9])([A-Z])", "$1-$2")
			.replaceAll("([A-Z]+)([A-Z][a-z])", "$1-$2")
			.toLowerCase(Locale.ROOT)
			.replaceAll("[^a-z0-9]+", "-");
	}

	private static String bounded(String id) {
		return (id.length() <= LONGEST_ID) ? id
				: id.substring(0, LONGEST_ID - 9) + "-" + HexFormat.of().toHexDigits(id.hashCode());
	}

	/**
	 * A rule that an annotation writes.
	 *
	 * @param culprit the annotated method, for messages
	 * @param definition what is written
	 */
	public record Written(String culprit, RuleDefinition definition) {
	}

}
