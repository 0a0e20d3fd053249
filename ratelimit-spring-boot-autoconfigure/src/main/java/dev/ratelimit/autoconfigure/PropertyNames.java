package dev.ratelimit.autoconfigure;

import java.lang.reflect.Parameter;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.ratelimit.rule.SimilarNames;

import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.bind.Name;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.core.ResolvableType;

/**
 * Finds the existing property with the nearest name to a property that does not exist.
 */
final class PropertyNames {

	private PropertyNames() {
	}

	/**
	 * Return the existing property with the nearest name.
	 * @param root the name that the type is bound to
	 * @param type the type, a record
	 * @param written the name of a property that does not exist
	 * @return the name of the existing property, if there is a similar one
	 */
	static Optional<String> nearest(ConfigurationPropertyName root, Class<?> type, ConfigurationPropertyName written) {
		return nearest(ResolvableType.forClass(type), written, root.getNumberOfElements());
	}

	// The first element that does not exist at its level is the misspelled one.
	private static Optional<String> nearest(ResolvableType type, ConfigurationPropertyName written, int index) {
		if (index >= written.getNumberOfElements()) {
			return Optional.empty();
		}
		Class<?> raw = type.resolve(Object.class);
		if (Map.class.isAssignableFrom(raw)) {
			return nearest(type.asMap().getGeneric(1), written, index + 1);
		}
		if (List.class.isAssignableFrom(raw)) {
			return nearest(type.asCollection().getGeneric(0), written, index + 1);
		}
		Map<String, ResolvableType> components = components(raw);
		ResolvableType known = components.get(written.getElement(index, Form.UNIFORM));
		if (known != null) {
			return nearest(known, written, index + 1);
		}
		return SimilarNames.nearest(written.getElement(index, Form.DASHED), names(raw))
			.map((name) -> (index > 0) ? written.chop(index).append(name).toString() : name);
	}

	private static Map<String, ResolvableType> components(Class<?> type) {
		Map<String, ResolvableType> components = new LinkedHashMap<>();
		List<Parameter> parameters = parameters(type);
		for (int i = 0; i < parameters.size(); i++) {
			// Newer compilers mark the parameters as mandated, which hides their generic
			// types.
			components.put(name(parameters.get(i)).replace("-", ""),
					ResolvableType.forType(type.getRecordComponents()[i].getGenericType()));
		}
		return components;
	}

	private static List<String> names(Class<?> type) {
		return parameters(type).stream().map(PropertyNames::name).toList();
	}

	// The parameters of the canonical constructor have the annotations.
	private static List<Parameter> parameters(Class<?> type) {
		RecordComponent[] components = (type.isRecord()) ? type.getRecordComponents() : new RecordComponent[0];
		Class<?>[] types = Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
		return Arrays.stream(type.getDeclaredConstructors())
			.filter((constructor) -> components.length > 0 && Arrays.equals(constructor.getParameterTypes(), types))
			.findFirst()
			.map((canonical) -> List.of(canonical.getParameters()))
			.orElse(List.of());
	}

	private static String name(Parameter parameter) {
		Name name = parameter.getAnnotation(Name.class);
		return (name != null) ? name.value() : DataObjectPropertyName.toDashedForm(parameter.getName());
	}

}
