(jsx_opening_element (jsx_attribute (property_identifier) @lambda.key)) @object
(jsx_self_closing_element (jsx_attribute (property_identifier) @lambda.key)) @object
