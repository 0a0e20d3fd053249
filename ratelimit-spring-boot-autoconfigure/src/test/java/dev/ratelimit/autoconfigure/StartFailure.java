package dev.ratelimit.autoconfigure;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.test.context.assertj.ApplicationContextAssertProvider;
import org.springframework.boot.test.context.runner.AbstractApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.Environment;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.core.io.support.SpringFactoriesLoader.ArgumentResolver;
import org.springframework.core.io.support.SpringFactoriesLoader.FailureHandler;

/**
 * Returns the text that users read if the application does not start: the first result of
 * the failure analyzers on the class path, in the order of Spring Boot.
 */
final class StartFailure {

	private static final Log logger = LogFactory.getLog(StartFailure.class);

	private StartFailure() {
	}

	static <S extends AbstractApplicationContextRunner<S, C, A>, C extends ConfigurableApplicationContext, A extends ApplicationContextAssertProvider<C>> FailureAnalysis of(
			S runner) {
		AtomicReference<ConfigurableApplicationContext> started = new AtomicReference<>();
		AtomicReference<FailureAnalysis> analysis = new AtomicReference<>();
		runner.withInitializer(started::set).run((context) -> {
			Throwable failure = context.getStartupFailure();
			if (failure == null) {
				throw new AssertionError("the application has started");
			}
			analysis.set(analyze(failure, Objects.requireNonNull(started.get())));
		});
		return Objects.requireNonNull(analysis.get());
	}

	static String text(FailureAnalysis analysis) {
		return analysis.getDescription() + "\n" + analysis.getAction();
	}

	private static FailureAnalysis analyze(Throwable failure, ConfigurableApplicationContext context) {
		ArgumentResolver arguments = ArgumentResolver.of(BeanFactory.class, context.getBeanFactory())
			.and(Environment.class, context.getEnvironment());
		for (FailureAnalyzer analyzer : SpringFactoriesLoader.forDefaultResourceLocation(context.getClassLoader())
			.load(FailureAnalyzer.class, arguments, FailureHandler.logging(logger))) {
			FailureAnalysis analysis = analyzer.analyze(failure);
			if (analysis != null) {
				return analysis;
			}
		}
		throw new AssertionError("no analyzer knows this failure", failure);
	}

}
