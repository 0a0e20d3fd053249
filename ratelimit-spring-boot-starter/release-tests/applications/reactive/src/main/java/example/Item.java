package example;

import org.springframework.data.annotation.Id;

record Item(@Id Long id, String name, int count) {

}
