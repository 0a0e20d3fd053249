package dev.ratelimit.autoconfigure;

import java.util.List;
import java.util.Optional;
import java.util.Set;

import dev.ratelimit.engine.Editions;
import dev.ratelimit.method.BeanMethod;
import dev.ratelimit.method.MethodGate;
import dev.ratelimit.rule.AnnotatedRules;
import dev.ratelimit.rule.RuleLayers;
import dev.ratelimit.rule.RuleSetChecks;
import dev.ratelimit.web.HandlerIndex;
import dev.ratelimit.web.HandlerRoute;
import dev.ratelimit.web.HandlerRules;
import dev.ratelimit.web.RequestGate;
import dev.ratelimit.web.response.HeaderFactory;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Internal: loads the rules of properties and annotations once all handler methods exist,
 * and joins all who compile, check, or follow the rules to the editions.
 */
public final class RuleLoader implements SmartInitializingSingleton {

	private static final Log logger = LogFactory.getLog(RuleLoader.class);

	private final RateLimitProperties properties;

	private final Editions editions;

	private final ObjectProvider<WebStack> web;

	private final ObjectProvider<RequestGate> gate;

	private final ObjectProvider<HeaderFactory> writer;

	private final ObjectProvider<MethodGate> methods;

	private final ObjectProvider<RuleChangeListener> examination;

	private final boolean secured;

	private final RuleStart start;

	RuleLoader(RateLimitProperties properties, Editions editions, ObjectProvider<WebStack> web,
			ObjectProvider<RequestGate> gate, ObjectProvider<HeaderFactory> writer, ObjectProvider<MethodGate> methods,
			ObjectProvider<RuleChangeListener> examination, boolean secured, RuleStart start) {
		this.properties = properties;
		this.editions = editions;
		this.web = web;
		this.gate = gate;
		this.writer = writer;
		this.methods = methods;
		this.examination = examination;
		this.secured = secured;
		this.start = start;
	}

	@Override
	public void afterSingletonsInstantiated() {
		Optional<WebStack> stack = Optional.ofNullable(this.web.getIfAvailable());
		Optional<MethodGate> calls = Optional.ofNullable(this.methods.getIfAvailable());
		List<HandlerRoute> routes = stack.map((found) -> found.routes().get()).orElse(List.of());
		Set<BeanMethod> found = calls.map(MethodGate::methods).orElse(Set.of());
		AnnotatedApplication application = AnnotatedApplication.of(routes, found);
		PropertyWarnings.of(this.properties).forEach(logger::warn);
		RuleLayers layers = new WrittenRules(this.properties).layers(application.rules());
		this.editions.addCheck((set) -> RuleSetChecks.check(set, this.start.warnings()));
		this.editions.addCheck(new ApplicationChecks(application, stack.isPresent(), routes, calls, this.secured,
				this.start.warnings())::check);
		calls.ifPresent((gate) -> gate.bind(found, application.rules().byMethod()));
		stack.ifPresent((present) -> bind(present, routes, application.rules()));
		this.start.begin(layers);
		this.editions.addListener(new RuleExamination(this.examination, routes, application.rules().byMethod(), stack));
		Set<String> loaded = this.editions.current().rules().rules().keySet();
		stack.ifPresent((present) -> logger.info("Loaded " + loaded.size() + " rate limit rules: " + loaded));
	}

	private void bind(WebStack stack, List<HandlerRoute> routes, AnnotatedRules annotated) {
		HandlerIndex index = new HandlerIndex(routes, annotated::concern, stack.prefix(),
				stack.preceded().getAsBoolean());
		this.gate.getObject()
			.bind(new HandlerRules(index, annotated.byMethod(), annotated.exemptions(), annotated.levels()),
					stack.parser().get());
		this.editions.addListener(this.writer.getObject()::follow);
	}

}
