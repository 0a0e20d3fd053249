package com.example.notes;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.TreeSet;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionEvaluationReport;
import org.springframework.cache.CacheManager;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.data.repository.core.support.RepositoryFactorySupport;
import org.springframework.util.ClassUtils;

/**
 * The choices of an application at its start, one line for each: its beans with their
 * types, the outcome of each condition, the types of its cache managers, and the modules
 * of Spring Data. With several modules, each module is strict about the repositories that
 * it accepts.
 */
public record Choices(Collection<String> lines) {

	@SuppressWarnings("deprecation")
	public static Choices of(ConfigurableApplicationContext context) {
		Collection<String> lines = new TreeSet<>();
		ConfigurableListableBeanFactory beans = context.getBeanFactory();
		for (String name : beans.getBeanDefinitionNames()) {
			lines.add("bean " + name + " " + type(beans.getType(name)));
		}
		ConditionEvaluationReport.get(beans)
			.getConditionAndOutcomesBySource()
			.forEach((source, outcomes) -> lines.add("condition " + source + " " + outcomes.isFullMatch()));
		context.getBeansOfType(CacheManager.class)
			.forEach((name, cache) -> lines.add("cache " + name + " " + type(cache.getClass())));
		SpringFactoriesLoader.loadFactoryNames(RepositoryFactorySupport.class, context.getClassLoader())
			.forEach((module) -> lines.add("repositories " + module));
		return new Choices(lines);
	}

	// The numbers in the names of proxies and lambdas depend on the number of earlier
	// ones.
	private static String type(@Nullable Class<?> type) {
		return (type != null) ? ClassUtils.getUserClass(type).getName().replaceAll("(\\$Proxy|\\$\\$Lambda)[^ ]*", "$1")
				: "?";
	}

	public static Choices read(Path file) {
		try {
			return new Choices(Files.readAllLines(file));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	public void write(Path file) {
		try {
			Files.write(file, this.lines);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
